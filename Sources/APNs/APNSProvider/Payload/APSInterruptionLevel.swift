/// The importance and presentation of a notification: the value of `aps.interruption-level` (iOS 15).
///
/// A struct, not an enum: Apple may add levels. A device treats an unknown level as ``active``.
public struct APSInterruptionLevel: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Added to the list of notifications; the screen stays dark.
    public static let passive = Self(rawValue: "passive")
    /// Presented at once, with sound; the default.
    public static let active = Self(rawValue: "active")
    /// Presented at once, also during a Focus. The app needs a capability for it.
    public static let timeSensitive = Self(rawValue: "time-sensitive")
    /// Presented at once, also when muted. The app needs an entitlement from Apple for it.
    public static let critical = Self(rawValue: "critical")
}
