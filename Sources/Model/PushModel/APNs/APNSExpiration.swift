public import Foundation

/// The value of `apns-expiration`: the time until which APNs keeps a push for an unreachable device.
///
/// In seconds since 1970. Without one, APNs keeps a push for at most 30 days.
/// Source: Apple, "Sending notification requests to APNs", read October 2026.
public struct APNSExpiration: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible
{
    public let rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
    public init(integerLiteral value: Int64) { rawValue = value }
    public var description: String { String(rawValue) }

    /// 0: one delivery attempt, without storage.
    public static let oneAttempt: Self = 0

    /// Returns the expiration at `date`, rounded down to whole seconds.
    public static func at(_ date: Date) -> Self {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        return Self(rawValue: Int64(exactly: seconds) ?? (seconds > 0 ? .max : 0))
    }

    /// Whether the date is over. A push with one attempt has none.
    package func hasPassed(at date: Date) -> Bool {
        self != .oneAttempt && rawValue <= Int64(date.timeIntervalSince1970)
    }
}
