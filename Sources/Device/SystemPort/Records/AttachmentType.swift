package import Foundation

/// A file type that notifications accept, and its maximum size.
///
/// Source: Apple, "UNNotificationAttachment", supported file types, read October 2026.
package struct AttachmentType: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case audio, image, movie }

    package var kind: Kind

    /// Returns nil for a type that is not accepted.
    package init?(identifier: String) {
        switch identifier {
        case "public.aiff-audio", "com.microsoft.waveform-audio", "public.mp3", "public.mpeg-4-audio": kind = .audio
        case "public.jpeg", "com.compuserve.gif", "public.png": kind = .image
        case "public.mpeg", "public.mpeg-2-video", "public.mpeg-4", "public.avi": kind = .movie
        default: return nil
        }
    }

    package var maximumBytes: Int {
        switch kind {
        case .audio: 5 << 20
        case .image: 10 << 20
        case .movie: 50 << 20
        }
    }

    /// Returns the uniform type identifier of a path extension; nil if unknown.
    package static func identifier(pathExtension: String) -> String? {
        switch pathExtension.lowercased() {
        case "aif", "aiff", "aifc": "public.aiff-audio"
        case "wav", "wave": "com.microsoft.waveform-audio"
        case "mp3": "public.mp3"
        case "m4a": "public.mpeg-4-audio"
        case "jpg", "jpeg", "jpe": "public.jpeg"
        case "gif": "com.compuserve.gif"
        case "png": "public.png"
        case "mpg", "mpeg": "public.mpeg"
        case "m2v": "public.mpeg-2-video"
        case "mp4", "m4v": "public.mpeg-4"
        case "avi": "public.avi"
        default: nil
        }
    }

    /// Returns the accepted type that a type hint means; nil if there is none.
    ///
    /// A hint may name a family, such as `public.image` (`kUTTypeImage`), to which the accepted types conform. Then the path extension
    /// decides, and without one that fits the file's first bytes.
    /// Source of the families: Apple, "System-declared uniform type identifiers", conformance.
    package static func identifier(hint: String, pathExtension: String, head: Data) -> String? {
        guard AttachmentType(identifier: hint) == nil else { return hint }
        guard let kinds = families[hint] else { return nil }
        func fits(_ identifier: String) -> Bool {
            AttachmentType(identifier: identifier).map { kinds.contains($0.kind) } ?? false
        }
        if let named = identifier(pathExtension: pathExtension), fits(named) { return named }
        return accepted.first { fits($0) && matches($0, head: head) }
    }

    private static let families: [String: Set<Kind>] = [
        "public.image": [.image], "public.audio": [.audio], "public.movie": [.movie], "public.video": [.movie],
        "public.audiovisual-content": [.audio, .movie], "public.content": [.audio, .image, .movie],
        "public.data": [.audio, .image, .movie], "public.item": [.audio, .image, .movie],
    ]

    private static let accepted = [
        "public.png", "public.jpeg", "com.compuserve.gif", "public.aiff-audio", "com.microsoft.waveform-audio",
        "public.avi",
        "public.mp3", "public.mpeg-4", "public.mpeg-4-audio", "public.mpeg", "public.mpeg-2-video",
    ]

    /// Whether a file that begins with these bytes can be of the type.
    package static func matches(_ identifier: String, head: Data) -> Bool {
        let bytes = [UInt8](head)
        func begins(_ text: String, at place: Int = 0) -> Bool { bytes.dropFirst(place).starts(with: text.utf8) }
        return switch identifier {
        case "public.png": bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        case "public.jpeg": bytes.starts(with: [0xFF, 0xD8, 0xFF])
        case "com.compuserve.gif": begins("GIF87a") || begins("GIF89a")
        case "public.aiff-audio": begins("FORM") && begins("AIF", at: 8)
        case "com.microsoft.waveform-audio": begins("RIFF") && begins("WAVE", at: 8)
        case "public.avi": begins("RIFF") && begins("AVI ", at: 8)
        case "public.mp3": begins("ID3") || bytes.count > 1 && bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0
        case "public.mpeg-4", "public.mpeg-4-audio": begins("ftyp", at: 4)
        case "public.mpeg", "public.mpeg-2-video": bytes.starts(with: [0, 0, 1])
        default: false
        }
    }
}
