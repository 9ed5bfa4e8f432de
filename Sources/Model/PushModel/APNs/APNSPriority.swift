/// The value of `apns-priority`: delivery speed against the device's power use.
///
/// APNs defines 10, 5 and 1. Source: Apple, "Sending notification requests to APNs", read October 2026.
public struct APNSPriority: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public init(integerLiteral value: Int) { rawValue = value }
    public var description: String { String(rawValue) }

    /// 10: immediately. The default of APNs; an error with ``APNSPushType/background``.
    public static let immediately: Self = 10
    /// 5: depending on the device's power; may be grouped with other pushes.
    public static let consideringPower: Self = 5
    /// 1: saves power above all; does not wake the device.
    public static let prioritizingPower: Self = 1
}
