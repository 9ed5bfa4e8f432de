/// Whether a push may name an uploaded file as its audience.
///
/// Source: JPush REST API v3, "File push API" and "Schedule API".
public enum FileAudience: Hashable, Sendable {
    /// `POST /v3/push` and its like.
    case refused
    /// `POST /v3/push/file`: no other audience is possible there.
    case required
    /// In a schedule, and in what was accepted before.
    case allowed
}
