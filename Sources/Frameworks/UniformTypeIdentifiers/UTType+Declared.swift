extension UTType {
    /// The system's declaration of a type.
    struct Declaration {
        var kinds: [String]
        /// The file extensions, the preferred one first.
        var extensions: [String]
        var mimeType: String?

        init(_ kinds: [String], _ extensions: [String] = [], _ mimeType: String? = nil) {
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
        "public.plain-text": Declaration(["public.text"], ["txt"], "text/plain"),
        "public.json": Declaration(["public.text"], ["json"], "application/json"),
        "com.adobe.pdf": Declaration(["public.data", "public.content"], ["pdf"], "application/pdf"),
        "public.image": Declaration(["public.data", "public.content"]),
        "public.png": Declaration(["public.image"], ["png"], "image/png"),
        "public.jpeg": Declaration(["public.image"], ["jpeg", "jpg", "jpe"], "image/jpeg"),
        "com.compuserve.gif": Declaration(["public.image"], ["gif"], "image/gif"),
        "public.tiff": Declaration(["public.image"], ["tiff", "tif"], "image/tiff"),
        "com.microsoft.bmp": Declaration(["public.image"], ["bmp"], "image/bmp"),
        "public.heic": Declaration(["public.image"], ["heic"], "image/heic"),
        "org.webmproject.webp": Declaration(["public.image"], ["webp"], "image/webp"),
        "public.audiovisual-content": Declaration(["public.data", "public.content"]),
        "public.movie": Declaration(["public.audiovisual-content"]),
        "public.video": Declaration(["public.movie"]),
        "public.audio": Declaration(["public.audiovisual-content"]),
        "com.apple.quicktime-movie": Declaration(["public.movie"], ["mov", "qt"], "video/quicktime"),
        "public.mpeg": Declaration(["public.movie"], ["mpg", "mpeg"], "video/mpeg"),
        "public.mpeg-2-video": Declaration(["public.movie"], ["m2v"], "video/mpeg2"),
        "public.mpeg-4": Declaration(["public.movie"], ["mp4", "mpeg4"], "video/mp4"),
        "public.avi": Declaration(["public.movie"], ["avi"], "video/avi"),
        "public.mp3": Declaration(["public.audio"], ["mp3"], "audio/mpeg"),
        "public.mpeg-4-audio": Declaration(["public.audio"], ["m4a"], "audio/mp4"),
        "com.microsoft.waveform-audio": Declaration(["public.audio"], ["wav", "wave"], "audio/vnd.wave"),
        "public.aiff-audio": Declaration(["public.audio"], ["aiff", "aif"], "audio/aiff"),
    ]
}
