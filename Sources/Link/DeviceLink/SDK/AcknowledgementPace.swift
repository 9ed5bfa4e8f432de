/// The schedule for acknowledging custom messages: the first of a burst individually and at once, the rest in groups.
///
/// An acknowledgement costs both ends about as much as a message, and one can cover many messages.
struct AcknowledgementPace {
    enum Step {
        case nothing
        /// Acknowledge all messages kept so far.
        case send
        /// Acknowledge, and call ``AcknowledgementPace/waited()`` after ``AcknowledgementPace/interval``.
        case sendAndWait
    }

    static let interval = Duration.seconds(1)
    /// Messages of a burst that are acknowledged at once: as many as usually wait for a device that reconnects.
    static let first = 5
    /// The most messages that one acknowledgement covers; a tenth of those that may be in flight.
    static let most = 100

    /// Acknowledgements sent since the last interval without a message.
    private var sent = 0
    /// Messages not acknowledged yet.
    private var owed = 0

    /// Records that the app has kept one more message.
    mutating func kept() -> Step {
        owed += 1
        guard sent < Self.first || owed == Self.most else { return .nothing }
        defer {
            owed = 0
            sent += 1
        }
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

    /// Handles the end of the link: the next one starts over.
    mutating func end() -> Step {
        defer { self = AcknowledgementPace() }
        return owed > 0 ? .send : .nothing
    }
}
