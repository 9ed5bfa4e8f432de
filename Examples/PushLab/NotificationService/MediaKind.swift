/// The kinds of files that a push can name, by the key in the payload.
///
/// Types and sizes: Apple, `UNNotificationAttachment`, supported file types.
enum MediaKind: String, CaseIterable, Sendable {
    case picture = "image"
    case sound = "audio"
    case video = "video"

    /// The maximum size of a file in a notification, in bytes.
    var limit: Int {
        switch self {
        case .picture: 10_485_760
        case .sound: 5_242_880
        case .video: 52_428_800
        }
    }

    /// The path extensions by the server's media type: the system reads the type of a file from its extension.
    var extensions: [String: String] {
        switch self {
        case .picture: ["image/png": "png", "image/jpeg": "jpg", "image/gif": "gif"]
        case .sound:
            [
                "audio/aiff": "aiff", "audio/x-aiff": "aiff", "audio/wav": "wav", "audio/x-wav": "wav",
                "audio/wave": "wav", "audio/vnd.wave": "wav", "audio/mpeg": "mp3", "audio/mp3": "mp3",
                "audio/mp4": "m4a", "audio/m4a": "m4a", "audio/x-m4a": "m4a",
            ]
        case .video:
            [
                "video/mpeg": "mpg", "video/mpeg2": "m2v", "video/mp4": "mp4", "video/x-m4v": "m4v",
                "video/avi": "avi", "video/vnd.avi": "avi", "video/x-msvideo": "avi",
            ]
        }
    }
}
