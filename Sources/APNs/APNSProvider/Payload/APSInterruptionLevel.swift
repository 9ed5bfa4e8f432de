/// How important a notification is and how it is presented: the value of `aps.interruption-level` (iOS 15).
///
/// A struct, not an enum: Apple may add levels. A device takes one that it does not know for ``active``.
public struct APSInterruptionLevel: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Into the list of notifications; the screen stays dark.
    public static let passive = Self(rawValue: "passive")
    /// At once, with sound; what a device takes when nothing is said.
    public static let active = Self(rawValue: "active")
    /// At once, also through Focus. The app needs a capability for it.
    public static let timeSensitive = Self(rawValue: "time-sensitive")
    /// At once, also when muted. The app needs an entitlement from Apple for it.
    public static let critical = Self(rawValue: "critical")
}
