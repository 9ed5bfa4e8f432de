public import Foundation
public import PushModel

/// The contents of a `UILocalNotification`, as sent over the port. Two are equal if all their contents are.
public struct LegacyNotificationRecord: Hashable, Sendable, Codable {
    /// The date of delivery; nil delivers at once.
    public var fireDate: Date?
    /// The time zone of the date; nil makes it absolute.
    public var timeZone: TimeZone?
    /// The `NSCalendar.Unit`; 0 for none.
    public var repeatInterval: UInt = 0
    /// The calendar of the repetition; nil for the device's.
    public var repeatCalendar: Calendar?
    /// The region whose border triggers the notification; nil for none.
    public var region: GeoRegion?
    /// Whether the region triggers it only once.
    public var regionTriggersOnce = true
    /// The text; nil shows nothing.
    public var alertBody: String?
    /// The title; nil for the app's name.
    public var alertTitle: String?
    /// Whether the alert has a button, or a slider on the lock screen.
    public var hasAction = true
    /// The title of that button; nil for the system's own.
    public var alertAction: String?
    /// The name of the launch image; nil for the app's own.
    public var alertLaunchImage: String?
    /// The name of the sound; nil for none.
    public var soundName: String?
    /// The badge; 0 leaves the icon unchanged.
    public var iconBadge = 0
    /// The identifier of the category; nil for none.
    public var category: String?
    /// The app's own data; nil for none.
    public var userInfo: InfoValue?

    /// Creates an empty notification.
    public init() {}
}
