/// Whether a push may name an uploaded file as its audience.
///
/// Source: JPush REST API v3, "File push API" and "Schedule API".
package enum FileAudience: Hashable, Sendable {
    /// `POST /v3/push` and similar requests.
    case refused
    /// `POST /v3/push/file`, which allows no other audience.
    case required
    /// A schedule, or a push that was accepted before.
    case allowed
}
