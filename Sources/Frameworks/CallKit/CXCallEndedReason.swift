/// The reason why a call ended that the user did not end.
public enum CXCallEndedReason: Int, Sendable {
    /// The call could not be connected, or broke off.
    case failed = 1
    /// The other party hung up.
    case remoteEnded = 2
    /// The other party did not answer, or the user did not, in time.
    case unanswered = 3
    /// The user answered on another device.
    case answeredElsewhere = 4
    /// The user declined on another device.
    case declinedElsewhere = 5
}
