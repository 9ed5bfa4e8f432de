/// When custom messages are acknowledged: the first of a burst each at once, those that follow together.
///
/// An acknowledgement costs both ends about as much as a message, and one may stand for many.
struct AcknowledgementPace {
    enum Step {
        case nothing
        /// Acknowledge all that is kept.
        case send
        /// And call ``AcknowledgementPace/waited()`` after ``AcknowledgementPace/interval``.
        case sendAndWait
    }

    static let interval = Duration.seconds(1)
    /// Messages of a burst that are acknowledged at once: as many as usually wait for a device that comes back.
    static let first = 5
    /// Messages that one acknowledgement stands for at most; a tenth of what may be on its way.
    static let most = 100

    /// Acknowledgements since the last interval in which nothing came.
    private var sent = 0
    /// Messages without one.
    private var owed = 0

    /// The app keeps one more message.
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

    /// The link ends: the next one begins anew.
    mutating func end() -> Step {
        defer { self = AcknowledgementPace() }
        return owed > 0 ? .send : .nothing
    }
}
