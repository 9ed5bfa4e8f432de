/// The two environments of APNs: a token of one is not valid in the other.
public enum APNSEnvironment: String, Hashable, Sendable, Codable, CaseIterable {
    /// Apple's sandbox, for apps built with a development profile.
    case development
    /// Apple's production environment, for apps from the App Store, TestFlight and ad hoc profiles.
    case production

    /// The environment that this one is not.
    package var other: APNSEnvironment { self == .production ? .development : .production }

    /// The host of Apple's provider API (port 443 or 2197).
    ///
    /// Source: Apple, "Sending notification requests to APNs", read October 2026.
    public var host: String {
        switch self {
        case .development: "api.sandbox.push.apple.com"
        case .production: "api.push.apple.com"
        }
    }
}
