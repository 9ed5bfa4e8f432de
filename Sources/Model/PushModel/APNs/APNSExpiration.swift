public import Foundation

/// The value of `apns-expiration`: until when APNs keeps a push for a device that it cannot reach.
///
/// In seconds since 1970. Without one, APNs keeps a push for at most 30 days.
/// Source: Apple, "Sending notification requests to APNs", read October 2026.
public struct APNSExpiration: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible
{
    public let rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
    public init(integerLiteral value: Int64) { rawValue = value }
    public var description: String { String(rawValue) }

    /// 0: one attempt, and nothing is stored.
    public static let oneAttempt: Self = 0

    /// Until `date`, cut to whole seconds.
    public static func at(_ date: Date) -> Self {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        return Self(rawValue: Int64(exactly: seconds) ?? (seconds > 0 ? .max : 0))
    }
}
