/// The presentation of a notification in the foreground. Raw values: Apple, `UNNotificationPresentationOptions`.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Set the number on the icon.
    public static let badge = Self(rawValue: 1)
    /// Play the sound.
    public static let sound = Self(rawValue: 2)
    /// Banner and list; deprecated by Apple since iOS 14.
    public static let alert = Self(rawValue: 4)
    /// Keep it in the notification centre.
    public static let list = Self(rawValue: 8)
    /// Show a banner.
    public static let banner = Self(rawValue: 16)
}
