extension UTType {
    /// The system's declaration of a type.
    struct Declaration {
        var kinds: [String]
        /// The file extensions, the preferred one first.
        var extensions: [String]
        var mimeType: String?

        init(_ kinds: [String], extensions: [String] = [], mimeType: String? = nil) {
            self.kinds = kinds
            self.extensions = extensions
            self.mimeType = mimeType
        }
    }

    /// The declared types by identifier.
    static let declared: [String: Declaration] = [
        "public.item": Declaration([]),
        "public.content": Declaration([]),
        "public.data": Declaration(["public.item"]),
        "public.url": Declaration(["public.data"]),
        "public.text": Declaration(["public.data", "public.content"]),
        "public.plain-text": Declaration(["public.text"], extensions: ["txt"], mimeType: "text/plain"),
        "public.json": Declaration(["public.text"], extensions: ["json"], mimeType: "application/json"),
        "com.adobe.pdf": Declaration(
            ["public.data", "public.content"],
            extensions: ["pdf"],
            mimeType: "application/pdf"
        ),
        "public.image": Declaration(["public.data", "public.content"]),
        "public.png": Declaration(["public.image"], extensions: ["png"], mimeType: "image/png"),
        "public.jpeg": Declaration(["public.image"], extensions: ["jpeg", "jpg", "jpe"], mimeType: "image/jpeg"),
        "com.compuserve.gif": Declaration(["public.image"], extensions: ["gif"], mimeType: "image/gif"),
        "public.tiff": Declaration(["public.image"], extensions: ["tiff", "tif"], mimeType: "image/tiff"),
        "com.microsoft.bmp": Declaration(["public.image"], extensions: ["bmp"], mimeType: "image/bmp"),
        "public.heic": Declaration(["public.image"], extensions: ["heic"], mimeType: "image/heic"),
        "org.webmproject.webp": Declaration(["public.image"], extensions: ["webp"], mimeType: "image/webp"),
        "public.audiovisual-content": Declaration(["public.data", "public.content"]),
        "public.movie": Declaration(["public.audiovisual-content"]),
        "public.video": Declaration(["public.movie"]),
        "public.audio": Declaration(["public.audiovisual-content"]),
        "com.apple.quicktime-movie": Declaration(
            ["public.movie"],
            extensions: ["mov", "qt"],
            mimeType: "video/quicktime"
        ),
        "public.mpeg": Declaration(["public.movie"], extensions: ["mpg", "mpeg"], mimeType: "video/mpeg"),
        "public.mpeg-2-video": Declaration(["public.movie"], extensions: ["m2v"], mimeType: "video/mpeg2"),
        "public.mpeg-4": Declaration(["public.movie"], extensions: ["mp4", "mpeg4"], mimeType: "video/mp4"),
        "public.avi": Declaration(["public.movie"], extensions: ["avi"], mimeType: "video/avi"),
        "public.mp3": Declaration(["public.audio"], extensions: ["mp3"], mimeType: "audio/mpeg"),
        "public.mpeg-4-audio": Declaration(["public.audio"], extensions: ["m4a"], mimeType: "audio/mp4"),
        "com.microsoft.waveform-audio": Declaration(
            ["public.audio"],
            extensions: ["wav", "wave"],
            mimeType: "audio/vnd.wave"
        ),
        "public.aiff-audio": Declaration(["public.audio"], extensions: ["aiff", "aif"], mimeType: "audio/aiff"),
    ]
}
