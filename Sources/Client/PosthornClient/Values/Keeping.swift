/// The time for which an operation is kept.
public enum Keeping: Hashable, Sendable {
    /// Until the service has answered, by later processes too.
    case untilAnswered
    /// As long as its caller waits. The caller may repeat it: after ``PosthornError/notSentYet`` it is not sent any more, and
    /// ``PosthornError/tooOften`` is its answer. One from before the device's first registration waits for that, as long as it takes.
    case whileAwaited
}
