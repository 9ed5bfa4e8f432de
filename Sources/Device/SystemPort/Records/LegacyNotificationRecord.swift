public import Foundation
public import PushModel

/// The contents of a `UILocalNotification`, as sent over the port. Two are equal if all their contents are.
public struct LegacyNotificationRecord: Hashable, Sendable, Codable {
    public var fireDate: Date?
    public var timeZone: TimeZone?
    /// The `NSCalendar.Unit`; 0 for none.
    public var repeatInterval: UInt = 0
    public var repeatCalendar: Calendar?
    public var region: GeoRegion?
    public var regionTriggersOnce = true
    public var alertBody: String?
    public var alertTitle: String?
    public var hasAction = true
    public var alertAction: String?
    public var alertLaunchImage: String?
    public var soundName: String?
    /// The badge; 0 leaves the icon unchanged.
    public var iconBadge = 0
    public var category: String?
    public var userInfo: InfoValue?

    public init() {}
}
