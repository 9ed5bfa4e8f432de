/// A file type by its uniform type identifier: the types that can be attached to notifications, and their supertypes.
///
/// Source: Apple, "System-declared uniform type identifiers".
public struct UTType: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The identifier, `public.png` for example; compared without regard to case by Apple, exactly here.
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
    /// The usual extension of file names, without the dot; nil if the type has none.
    public var preferredFilenameExtension: String? { Self.declared[identifier]?.extensions.first }
    /// The usual MIME type; nil if the type has none.
    public var preferredMIMEType: String? { Self.declared[identifier]?.mimeType }

    /// Whether it is the other type, or a subtype of it.
    public func conforms(to type: UTType) -> Bool { self == type || isSubtype(of: type) }

    /// Returns whether each value of this type is also one of `type`; false for the same type.
    public func isSubtype(of type: UTType) -> Bool { supertypes.contains(type) }
    /// Returns whether each value of `type` is also one of this type; false for the same type.
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

    /// The type `public.item`: anything: files, folders, and more.
    public static let item = UTType(known: "public.item")
    /// The type `public.content`: anything with content: documents, pictures, films.
    public static let content = UTType(known: "public.content")
    /// The type `public.data`: any sequence of bytes.
    public static let data = UTType(known: "public.data")
    /// The type `public.url`: a URL.
    public static let url = UTType(known: "public.url")
    /// The type `public.text`: any text, with or without formats.
    public static let text = UTType(known: "public.text")
    /// The type `public.plain-text`: text without formats.
    public static let plainText = UTType(known: "public.plain-text")
    /// The type `public.json`: JSON.
    public static let json = UTType(known: "public.json")
    /// The type `com.adobe.pdf`: PDF documents.
    public static let pdf = UTType(known: "com.adobe.pdf")
    /// The type `public.image`: any picture.
    public static let image = UTType(known: "public.image")
    /// The type `public.png`: PNG pictures.
    public static let png = UTType(known: "public.png")
    /// The type `public.jpeg`: JPEG pictures.
    public static let jpeg = UTType(known: "public.jpeg")
    /// The type `com.compuserve.gif`: GIF pictures.
    public static let gif = UTType(known: "com.compuserve.gif")
    /// The type `public.tiff`: TIFF pictures.
    public static let tiff = UTType(known: "public.tiff")
    /// The type `com.microsoft.bmp`: BMP pictures.
    public static let bmp = UTType(known: "com.microsoft.bmp")
    /// The type `public.heic`: HEIC pictures.
    public static let heic = UTType(known: "public.heic")
    /// The type `org.webmproject.webp`: WebP pictures.
    public static let webP = UTType(known: "org.webmproject.webp")
    /// The type `public.audiovisual-content`: anything heard or seen over time.
    public static let audiovisualContent = UTType(known: "public.audiovisual-content")
    /// The type `public.movie`: any film.
    public static let movie = UTType(known: "public.movie")
    /// The type `public.video`: films without sound.
    public static let video = UTType(known: "public.video")
    /// The type `public.audio`: any sound.
    public static let audio = UTType(known: "public.audio")
    /// The type `com.apple.quicktime-movie`: QuickTime films.
    public static let quickTimeMovie = UTType(known: "com.apple.quicktime-movie")
    /// The type `public.mpeg`: MPEG-1 and MPEG-2 films.
    public static let mpeg = UTType(known: "public.mpeg")
    /// The type `public.mpeg-2-video`: MPEG-2 films.
    public static let mpeg2Video = UTType(known: "public.mpeg-2-video")
    /// The type `public.mpeg-4`: MPEG-4 films.
    public static let mpeg4Movie = UTType(known: "public.mpeg-4")
    /// The type `public.avi`: AVI films.
    public static let avi = UTType(known: "public.avi")
    /// The type `public.mp3`: MP3 sounds.
    public static let mp3 = UTType(known: "public.mp3")
    /// The type `public.mpeg-4-audio`: MPEG-4 sounds.
    public static let mpeg4Audio = UTType(known: "public.mpeg-4-audio")
    /// The type `com.microsoft.waveform-audio`: WAVE sounds.
    public static let wav = UTType(known: "com.microsoft.waveform-audio")
    /// The type `public.aiff-audio`: AIFF sounds.
    public static let aiff = UTType(known: "public.aiff-audio")
}
