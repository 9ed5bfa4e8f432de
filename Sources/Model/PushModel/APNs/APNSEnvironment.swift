/// The two worlds of APNs: a token of one means nothing to the other.
public enum APNSEnvironment: String, Hashable, Sendable, Codable, CaseIterable {
    case development
    case production

    /// Where Apple answers provider requests (port 443, or 2197).
    ///
    /// Source: Apple, "Sending notification requests to APNs", read October 2026.
    public var host: String {
        switch self {
        case .development: "api.sandbox.push.apple.com"
        case .production: "api.push.apple.com"
        }
    }
}
