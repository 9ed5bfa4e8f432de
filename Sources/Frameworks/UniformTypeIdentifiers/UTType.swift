/// A file type by its uniform type identifier: the types that can be attached to notifications, and their supertypes.
///
/// Source: Apple, "System-declared uniform type identifiers".
public struct UTType: Hashable, Sendable, Codable, CustomStringConvertible {
    public let identifier: String

    private init(known identifier: String) { self.identifier = identifier }

    /// Returns nil for an identifier that the system does not declare.
    public init?(_ identifier: String) {
        guard Self.declared[identifier] != nil else { return nil }
        self.identifier = identifier
    }

    /// Returns nil for an extension that no declared type has.
    public init?(filenameExtension: String) {
        let wanted = filenameExtension.lowercased()
        guard let found = Self.declared.first(where: { $0.value.extensions.contains(wanted) }) else { return nil }
        identifier = found.key
    }

    /// Returns nil for a MIME type that no declared type has.
    public init?(mimeType: String) {
        let wanted = mimeType.lowercased()
        guard let found = Self.declared.first(where: { $0.value.mimeType == wanted }) else { return nil }
        identifier = found.key
    }

    public var description: String { identifier }
    public var preferredFilenameExtension: String? { Self.declared[identifier]?.extensions.first }
    public var preferredMIMEType: String? { Self.declared[identifier]?.mimeType }

    /// Whether it is the other type, or a subtype of it.
    public func conforms(to type: UTType) -> Bool { self == type || isSubtype(of: type) }

    public func isSubtype(of type: UTType) -> Bool { supertypes.contains(type) }
    public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }

    /// All its supertypes.
    public var supertypes: Set<UTType> {
        var found: Set<UTType> = []
        var next = Self.declared[identifier]?.kinds ?? []
        while let kind = next.popLast() {
            if found.insert(UTType(known: kind)).inserted { next += Self.declared[kind]?.kinds ?? [] }
        }
        return found
    }

    public static let item = UTType(known: "public.item")
    public static let content = UTType(known: "public.content")
    public static let data = UTType(known: "public.data")
    public static let url = UTType(known: "public.url")
    public static let text = UTType(known: "public.text")
    public static let plainText = UTType(known: "public.plain-text")
    public static let json = UTType(known: "public.json")
    public static let pdf = UTType(known: "com.adobe.pdf")
    public static let image = UTType(known: "public.image")
    public static let png = UTType(known: "public.png")
    public static let jpeg = UTType(known: "public.jpeg")
    public static let gif = UTType(known: "com.compuserve.gif")
    public static let tiff = UTType(known: "public.tiff")
    public static let bmp = UTType(known: "com.microsoft.bmp")
    public static let heic = UTType(known: "public.heic")
    public static let webP = UTType(known: "org.webmproject.webp")
    public static let audiovisualContent = UTType(known: "public.audiovisual-content")
    public static let movie = UTType(known: "public.movie")
    public static let video = UTType(known: "public.video")
    public static let audio = UTType(known: "public.audio")
    public static let quickTimeMovie = UTType(known: "com.apple.quicktime-movie")
    public static let mpeg = UTType(known: "public.mpeg")
    public static let mpeg2Video = UTType(known: "public.mpeg-2-video")
    public static let mpeg4Movie = UTType(known: "public.mpeg-4")
    public static let avi = UTType(known: "public.avi")
    public static let mp3 = UTType(known: "public.mp3")
    public static let mpeg4Audio = UTType(known: "public.mpeg-4-audio")
    public static let wav = UTType(known: "com.microsoft.waveform-audio")
    public static let aiff = UTType(known: "public.aiff-audio")
}
