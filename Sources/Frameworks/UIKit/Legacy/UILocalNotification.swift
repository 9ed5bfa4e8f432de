public import CoreLocation
public import Foundation
import PushClock
import PushModel
package import SystemPort
import UserNotifications

/// The system's own sound, for ``UILocalNotification/soundName``.
@available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use UNNotificationSound.default.")
public let UILocalNotificationDefaultSoundName = "UILocalNotificationDefaultSoundName"

/// A local notification as apps received it before iOS 10, and as an app without a delegate of the notification centre
/// still does. Two are equal if all their contents are.
@available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use UNNotificationRequest.")
open class UILocalNotification: NSObject, NSCopying, NSSecureCoding {
    /// Its contents except ``userInfo``, and except changes to its region.
    private var fields = LegacyNotificationRecord()
    private var ownRegion: CLRegion?
    /// The identifier of the request that it was made from; nil for a notification that an app creates.
    package private(set) var requestIdentifier: String?

    public override init() { super.init() }

    public required init?(coder: NSCoder) {
        guard let record: LegacyNotificationRecord = RecordCoding.decode(from: coder) else { return nil }
        fields = record
        userInfo = record.userInfo?.dictionary
        fields.userInfo = nil
    }

    /// Creates a notification as an app scheduled it.
    package init(_ record: LegacyNotificationRecord) {
        fields = record
        userInfo = record.userInfo?.dictionary
        fields.userInfo = nil
    }

    /// Creates a delivered or pending notification. For a request of the notification centre it contains only what this
    /// class can express: no subtitle, no badge of 0, and a repetition only if it is a single calendar unit.
    package convenience init(_ record: NotificationRecord) {
        if let legacy = record.content.legacy {
            self.init(legacy)
        } else {
            self.init(mirroring: record)
        }
        requestIdentifier = record.identifier
    }

    /// Creates a pending notification.
    package convenience init(waiting request: RequestRecord, on port: any SystemPort) {
        let zone = TimeZone(identifier: port.facts.timeZone) ?? .gmt
        let due = request.trigger.flatMap { TriggerDates.next(of: $0, after: port.clock.date, in: zone) }
        self.init(
            NotificationRecord(
                identifier: request.identifier,
                date: due ?? port.clock.date,
                content: request.content,
                trigger: request.trigger
            )
        )
    }

    private init(mirroring record: NotificationRecord) {
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
        case .timeInterval, .fireDate, .push: fields.fireDate = record.date
        case nil: break
        }
    }

    /// The date at which it first fires; for a time trigger of the notification centre, the date of delivery. Nil fires
    /// at once, or at ``region``.
    open var fireDate: Date? {
        get { fields.fireDate }
        set { fields.fireDate = newValue }
    }

    /// The time zone. If set, ``fireDate`` is a local time there; otherwise it is an absolute time.
    open var timeZone: TimeZone? {
        get { fields.timeZone }
        set { fields.timeZone = newValue }
    }

    /// The calendar unit of the repetition; empty if it does not repeat.
    open var repeatInterval: NSCalendar.Unit {
        get { NSCalendar.Unit(rawValue: fields.repeatInterval) }
        set { fields.repeatInterval = newValue.rawValue }
    }

    /// The calendar of the repetition; nil for the device's.
    open var repeatCalendar: Calendar? {
        get { fields.repeatCalendar }
        set { fields.repeatCalendar = newValue }
    }

    /// The region, stored as a copy; changing that copy changes the notification.
    @available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNLocationNotificationTrigger.")
    open var region: CLRegion? {
        get {
            guard SystemSymbol.region.require() else { return nil }
            ownRegion = ownRegion ?? fields.region.map(CLRegion.make)
            return ownRegion
        }
        set {
            guard SystemSymbol.setRegion.require() else { return }
            ownRegion = nil
            fields.region = newValue?.record
        }
    }

    /// The contents of ``fields`` with the region as it is now.
    private var current: LegacyNotificationRecord {
        var current = fields
        if let ownRegion { current.region = ownRegion.record }
        return current
    }

    /// Whether the region fires only once; true by default.
    @available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNLocationNotificationTrigger.")
    open var regionTriggersOnce: Bool {
        get {
            SystemSymbol.regionTriggersOnce.require()
            return fields.regionTriggersOnce
        }
        set { if SystemSymbol.setRegionTriggersOnce.require() { fields.regionTriggersOnce = newValue } }
    }

    /// The text; nil shows nothing.
    open var alertBody: String? {
        get { fields.alertBody }
        set { fields.alertBody = newValue }
    }

    /// The title (iOS 8.2); nil for none.
    @available(iOS, introduced: 8.2, deprecated: 10.0, message: "Use UNNotificationContent.title.")
    open var alertTitle: String? {
        get {
            SystemSymbol.alertTitle.require()
            return fields.alertTitle
        }
        set { if SystemSymbol.setAlertTitle.require() { fields.alertTitle = newValue } }
    }

    /// Whether the alert has a button; true by default.
    open var hasAction: Bool {
        get { fields.hasAction }
        set { fields.hasAction = newValue }
    }

    /// The word on the button of an alert; carried, without effect.
    open var alertAction: String? {
        get { fields.alertAction }
        set { fields.alertAction = newValue }
    }

    /// The name of a launch image; carried, without effect.
    open var alertLaunchImage: String? {
        get { fields.alertLaunchImage }
        set { fields.alertLaunchImage = newValue }
    }

    /// A sound file of the app, or ``UILocalNotificationDefaultSoundName``; nil is silent.
    open var soundName: String? {
        get { fields.soundName }
        set { fields.soundName = newValue }
    }

    /// The badge; 0 leaves the icon unchanged.
    open var applicationIconBadgeNumber: Int {
        get { fields.iconBadge }
        set { fields.iconBadge = newValue }
    }

    /// The identifier of the category with its buttons.
    @available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNNotificationContent.categoryIdentifier.")
    open var category: String? {
        get {
            SystemSymbol.category.require()
            return fields.category
        }
        set { if SystemSymbol.setCategory.require() { fields.category = newValue } }
    }

    /// The app's own data, property-list values only.
    open var userInfo: [AnyHashable: Any]?

    open class var supportsSecureCoding: Bool { true }

    /// Encodes nothing if ``userInfo`` has a value that cannot be encoded.
    open func encode(with coder: NSCoder) {
        if let record { RecordCoding.encode(record, with: coder) }
    }

    /// The complete contents; nil if ``userInfo`` has a value that is not valid in a property list.
    package var record: LegacyNotificationRecord? {
        var record = current
        if let userInfo {
            guard let info = try? InfoValue(userInfo) else { return nil }
            record.userInfo = info
        }
        return record
    }

    /// The description. Its first line is as Apple's systems print it, with the next date at which it is due.
    open override var description: String {
        // Also works outside of any app, as when a test prints it.
        let zone = CurrentPort.bound.flatMap { TimeZone(identifier: $0.facts.timeZone) } ?? .gmt
        let next = fields.fireDate.map { date in
            TriggerDates.next(of: .fireDate(schedule(from: date)), after: CurrentPort.clock.date, in: zone) ?? date
        }
        func shown(_ date: Date?) -> String { date?.formatted(Date.ISO8601FormatStyle(timeZone: zone)) ?? "(null)" }
        return """
            <UILocalNotification: \(ObjectIdentifier(self).hashValue)>{fire date = \(shown(fields.fireDate)), time zone = \
            \(fields.timeZone?.identifier ?? "(null)"), repeat interval = \(fields.repeatInterval), repeat count = 0, next fire \
            date = \(shown(next)), user info = \(userInfo.map(String.init(describing:)) ?? "(null)")}
            """
    }

    private func schedule(from date: Date) -> FireDate {
        FireDate(
            date,
            timeZone: fields.timeZone,
            repeatInterval: fields.repeatInterval,
            calendar: fields.repeatCalendar
        )
    }

    /// Returns the request for the device; nil if ``userInfo`` has a value that is not valid in a property list. With
    /// `isNow`, ``fireDate`` is ignored.
    package func request(identifier: String, isNow: Bool = false) -> RequestRecord? {
        guard let record else { return nil }
        var content = ContentRecord()
        // Without a body there is no alert, regardless of its title.
        content.title = record.alertBody == nil ? "" : record.alertTitle ?? ""
        content.body = record.alertBody ?? ""
        content.badge = record.iconBadge == 0 ? nil : record.iconBadge
        content.launchImageName = record.alertLaunchImage ?? ""
        content.categoryIdentifier = record.category ?? ""
        content.sound = record.soundName.map { SoundRecord(name: $0 == UILocalNotificationDefaultSoundName ? nil : $0) }
        content.ownInfo = record.userInfo
        content.legacy = record
        var trigger: TriggerRecord?
        if let region = record.region {
            trigger = .location(region, repeats: !record.regionTriggersOnce)
        } else if let date = record.fireDate {
            trigger = .fireDate(schedule(from: date))
        }
        return RequestRecord(identifier: identifier, content: content, trigger: isNow ? nil : trigger)
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = UILocalNotification()
        copy.fields = current
        copy.userInfo = userInfo
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UILocalNotification, other.current == current else { return false }
        return userInfo.map(NSDictionary.init(dictionary:)) == other.userInfo.map(NSDictionary.init(dictionary:))
    }

    open override var hash: Int { current.hashValue }
}
