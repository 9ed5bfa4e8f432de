/// The schedule for acknowledging custom messages on a link: the first of a burst individually and at once, the rest in groups.
struct AcknowledgementPace: Hashable, Sendable {
    enum Step {
        case nothing
        case send
        /// Acknowledge, and call ``AcknowledgementPace/waited()`` after ``AcknowledgementPace/interval``.
        case sendAndWait
    }

    /// In milliseconds.
    static let interval = 1000
    /// Messages of a burst that are acknowledged at once: as many as usually wait for a device that reconnects.
    private static let first = 5
    /// The most messages that one acknowledgement covers; a tenth of those that may be in flight.
    private static let most = 100

    /// Acknowledgements sent since the last interval without a message.
    private var sent = 0
    /// Messages not acknowledged yet.
    private(set) var owed = 0

    /// Records that the app has taken one more message.
    mutating func taken() -> Step {
        owed += 1
        guard sent < Self.first || owed == Self.most else { return .nothing }
        defer { sent += 1 }
        owed = 0
        return sent == 0 ? .sendAndWait : .send
    }

    mutating func waited() -> Step {
        guard owed > 0 else {
            sent = 0
            return .nothing
        }
        owed = 0
        return .sendAndWait
    }
}
