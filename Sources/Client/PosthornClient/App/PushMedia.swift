import Foundation

/// The picture, sound or video that a push names for its notification, by the key of the payload.
///
/// Types and sizes: Apple, `UNNotificationAttachment`, supported file types.
struct PushMedia: Hashable, Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case image
        case audio
        case video
    }

    var kind: Kind
    var url: URL

    /// Reads the first one of a payload; nil without one that comes over HTTPS.
    init?(_ userInfo: [AnyHashable: Any]) {
        for kind in Kind.allCases {
            guard let text = userInfo[kind.rawValue] as? String, let url = URL(string: text), url.scheme == "https"
            else {
                continue
            }
            self.kind = kind
            self.url = url
            return
        }
        return nil
    }

    /// The largest file in bytes.
    var limit: Int {
        switch kind {
        case .image: 10 << 20
        case .audio: 5 << 20
        case .video: 50 << 20
        }
    }

    /// The path extension of a media type, by which the system knows the file's; nil for one that no notification shows.
    func ending(of type: String?) -> String? {
        switch (kind, type?.lowercased()) {
        case (.image, "image/png"): "png"
        case (.image, "image/jpeg"): "jpg"
        case (.image, "image/gif"): "gif"
        case (.audio, "audio/mpeg"), (.audio, "audio/mp3"): "mp3"
        case (.audio, "audio/wav"), (.audio, "audio/x-wav"): "wav"
        case (.audio, "audio/mp4"), (.audio, "audio/x-m4a"): "m4a"
        case (.video, "video/mp4"): "mp4"
        case (.video, "video/mpeg"): "mpg"
        default: nil
        }
    }
}

/// The end of several pieces of work: it calls the completion once, with the last piece or when the time is over.
final class Gathering: Sendable {
    private let state: Guarded<(left: Int, completion: (@Sendable () -> Void)?)>

    init(of pieces: Int, _ completion: @escaping @Sendable () -> Void) { state = Guarded((pieces, completion)) }

    func ends(_ pieces: Int = 1) {
        let completion = state.with { state -> (@Sendable () -> Void)? in
            state.left -= pieces
            guard state.left <= 0 else { return nil }
            defer { state.completion = nil }
            return state.completion
        }
        completion?()
    }
}
