/// A wait of the client.
enum ClientTimer: Hashable, Sendable {
    /// Until the store is read again.
    case load
    /// Until a failed call is repeated.
    case retry
    /// Until the next link is opened, or messages are fetched again.
    case link
    /// Until the messages that the app has taken meanwhile are acknowledged.
    case gather
    /// Until the next ping of the app's own.
    case heartbeat
    /// Until a link without a reply is given up.
    case reply
    /// Until the service takes operations again.
    case pause
    /// The time that this caller waits for an answer.
    case patience(Int)
    /// The time that this caller waits until everything is sent.
    case flush(Int)
}
