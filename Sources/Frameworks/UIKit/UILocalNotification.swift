public import CoreLocation
public import Foundation
import PushModel
package import SystemPort
import UserNotifications

/// As ``UILocalNotification/soundName``: the system's own sound.
@available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use UNNotificationSound.default.")
public let UILocalNotificationDefaultSoundName = "UILocalNotificationDefaultSoundName"

/// A local notification as apps heard of it before iOS 10, and an app without a delegate of the notification centre
/// still does. Two are equal if all they say is.
@available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use UNNotificationRequest.")
open class UILocalNotification: NSObject, NSCopying, NSSecureCoding {
    private struct Fields: Hashable, Codable {
        var fireDate: Date?
        var timeZone: TimeZone?
        var repeatInterval: UInt = 0
        var repeatCalendar: Calendar?
        var region: GeoRegion?
        var regionTriggersOnce = true
        var alertBody: String?
        var alertTitle: String?
        var hasAction = true
        var alertAction: String?
        var alertLaunchImage: String?
        var soundName: String?
        var iconBadge = 0
        var category: String?
    }

    private struct Coded: Codable {
        var fields: Fields
        var userInfo: InfoValue?
    }

    private var fields = Fields()

    public override init() { super.init() }

    public required init?(coder: NSCoder) {
        guard let coded: Coded = RecordCoding.decode(from: coder) else { return nil }
        fields = coded.fields
        userInfo = coded.userInfo?.dictionary
    }

    /// What was delivered. It says what an instance can say: no subtitle, no badge of 0, and of a repetition one that is
    /// a single period of the calendar.
    package init(_ record: NotificationRecord) {
        let content = record.content
        fields.alertTitle = content.title.isEmpty ? nil : content.title
        fields.alertBody = content.body.isEmpty ? nil : content.body
        fields.alertLaunchImage = content.launchImageName.isEmpty ? nil : content.launchImageName
        fields.category = content.categoryIdentifier.isEmpty ? nil : content.categoryIdentifier
        fields.soundName = content.sound.map { $0.name ?? UILocalNotificationDefaultSoundName }
        fields.iconBadge = content.badge ?? 0
        fields.repeatInterval = record.trigger?.repeatInterval.rawValue ?? 0
        let info = content.ownInfo?.dictionary ?? content.userInfo.foundation
        userInfo = info.isEmpty ? nil : info
        switch record.trigger {
        case .location(let region, let repeats):
            fields.region = region
            fields.regionTriggersOnce = !repeats
        case .calendar(let components, _):
            fields.fireDate = record.date
            fields.timeZone = components.timeZone
            fields.repeatCalendar = components.calendar
        case .timeInterval, .push: fields.fireDate = record.date
        case nil: break
        }
    }

    /// When it is due; of one that was delivered by time, when that was. Nil: at once, or at ``region``.
    open var fireDate: Date? {
        get { fields.fireDate }
        set { fields.fireDate = newValue }
    }

    /// With a zone ``fireDate`` is a time on the wall there, without one an instant.
    open var timeZone: TimeZone? {
        get { fields.timeZone }
        set { fields.timeZone = newValue }
    }

    /// One unit of the calendar; empty for one that comes once.
    open var repeatInterval: NSCalendar.Unit {
        get { NSCalendar.Unit(rawValue: fields.repeatInterval) }
        set { fields.repeatInterval = newValue.rawValue }
    }

    /// Nil: the device's calendar.
    open var repeatCalendar: Calendar? {
        get { fields.repeatCalendar }
        set { fields.repeatCalendar = newValue }
    }

    /// A copy: changing it changes nothing.
    @available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNLocationNotificationTrigger.")
    open var region: CLRegion? {
        get { fields.region.map(CLRegion.make) }
        set { fields.region = newValue?.record }
    }

    /// True unless it is said otherwise.
    @available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNLocationNotificationTrigger.")
    open var regionTriggersOnce: Bool {
        get { fields.regionTriggersOnce }
        set { fields.regionTriggersOnce = newValue }
    }

    /// Nil: there is nothing to show.
    open var alertBody: String? {
        get { fields.alertBody }
        set { fields.alertBody = newValue }
    }

    @available(iOS, introduced: 8.2, deprecated: 10.0, message: "Use UNNotificationContent.title.")
    open var alertTitle: String? {
        get { fields.alertTitle }
        set { fields.alertTitle = newValue }
    }

    /// True unless it is said otherwise.
    open var hasAction: Bool {
        get { fields.hasAction }
        set { fields.hasAction = newValue }
    }

    open var alertAction: String? {
        get { fields.alertAction }
        set { fields.alertAction = newValue }
    }

    open var alertLaunchImage: String? {
        get { fields.alertLaunchImage }
        set { fields.alertLaunchImage = newValue }
    }

    /// A file of the app's own, or ``UILocalNotificationDefaultSoundName``; nil is silence.
    open var soundName: String? {
        get { fields.soundName }
        set { fields.soundName = newValue }
    }

    /// 0 leaves the icon alone.
    open var applicationIconBadgeNumber: Int {
        get { fields.iconBadge }
        set { fields.iconBadge = newValue }
    }

    /// The identifier of the category that has its buttons.
    @available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNNotificationContent.categoryIdentifier.")
    open var category: String? {
        get { fields.category }
        set { fields.category = newValue }
    }

    open var userInfo: [AnyHashable: Any]?

    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing if ``userInfo`` has a value that no coder takes.
    open func encode(with coder: NSCoder) {
        var coded = Coded(fields: fields)
        if let userInfo {
            guard let info = try? InfoValue(userInfo) else { return }
            coded.userInfo = info
        }
        RecordCoding.encode(coded, with: coder)
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = UILocalNotification()
        copy.fields = fields
        copy.userInfo = userInfo
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UILocalNotification, other.fields == fields else { return false }
        return userInfo.map(NSDictionary.init(dictionary:)) == other.userInfo.map(NSDictionary.init(dictionary:))
    }

    open override var hash: Int { fields.hashValue }
}
