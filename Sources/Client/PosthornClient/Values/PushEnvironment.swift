/// One of the two environments of APNs. The signing of the app decides which.
public enum PushEnvironment: String, Hashable, Sendable, Codable {
    /// For builds that are signed for development.
    case development
    /// For all others: ad hoc, enterprise, TestFlight and App Store.
    case production
}
