/// A change of the client's connection with the service: its link, or the outcome of its calls.
public enum NetworkEvent: Hashable, Sendable {
    /// The client tries to reach the service.
    case connecting
    /// The service answers.
    case connected
    /// The service knows the device.
    case loggedIn
    /// The link has ended, or a call has failed after others had succeeded.
    case closed
    /// The service cannot be reached; once for a series of failures.
    case unreachable(PosthornError)
}
