/// The value of `apns-priority`: how soon a push is delivered, against how much power that costs the device.
///
/// APNs knows 10, 5 and 1. Source: Apple, "Sending notification requests to APNs", read October 2026.
public struct APNSPriority: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public init(integerLiteral value: Int) { rawValue = value }
    public var description: String { String(rawValue) }

    /// 10: at once. What APNs takes when nothing is said; an error with ``APNSPushType/background``.
    public static let immediately: Self = 10
    /// 5: when the device's power allows; may be grouped with others.
    public static let consideringPower: Self = 5
    /// 1: power before everything else; does not wake the device.
    public static let prioritizingPower: Self = 1
}
