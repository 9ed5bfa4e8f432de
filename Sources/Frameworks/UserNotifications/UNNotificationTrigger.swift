public import CoreLocation
public import Foundation
import PushClock
package import SystemPort

/// Why a notification is delivered. `@unchecked Sendable`: it never changes.
open class UNNotificationTrigger: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    package let record: TriggerRecord

    package init(_ record: TriggerRecord) { self.record = record }

    public required init?(coder: NSCoder) {
        guard let record: TriggerRecord = RecordCoding.decode(from: coder) else { return nil }
        self.record = record
    }

    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) { RecordCoding.encode(record, with: coder) }
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open var repeats: Bool { record.repeats }

    open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationTrigger)?.record == record }
    open override var hash: Int { record.hashValue }

    /// Computed from this moment, as on Apple's systems, also for a request that waits since long.
    func next() -> Date? {
        let port = CurrentPort.find()
        let zone = TimeZone(identifier: port.facts.timeZone) ?? .gmt
        return TriggerDates.next(of: record, after: port.clock.date, in: zone)
    }

    package static func make(_ record: TriggerRecord) -> UNNotificationTrigger {
        switch record {
        case .push: UNPushNotificationTrigger(record)
        case .timeInterval: UNTimeIntervalNotificationTrigger(record)
        case .calendar: UNCalendarNotificationTrigger(record)
        case .location: UNLocationNotificationTrigger(record)
        // Apple's class for these is its own.
        case .fireDate: UNNotificationTrigger(record)
        }
    }
}

/// A push brought the notification.
open class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {}

/// A time after the moment at which the request is added.
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// Raises an exception for an interval that is not above 0, and below 60 for one that repeats.
    public convenience init(timeInterval: TimeInterval, repeats: Bool) {
        if !(timeInterval > 0) {
            RaisedException.raise("time interval must be greater than 0")
        } else if repeats, timeInterval < 60 {
            RaisedException.raise("time interval must be at least 60 if repeating")
        }
        self.init(.timeInterval(timeInterval, repeats: repeats))
    }

    open var timeInterval: TimeInterval {
        if case .timeInterval(let interval, _) = record { interval } else { 0 }
    }

    /// This moment and the interval, whenever the request was added.
    open func nextTriggerDate() -> Date? { next() }
}

/// A date, or each that matches.
open class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    public convenience init(dateMatching dateComponents: DateComponents, repeats: Bool) {
        self.init(.calendar(dateComponents, repeats: repeats))
    }

    /// A copy: changing it changes nothing.
    open var dateComponents: DateComponents {
        if case .calendar(let components, _) = record { components } else { DateComponents() }
    }

    /// Nil for components that do not come again.
    open func nextTriggerDate() -> Date? { next() }
}

/// The crossing of a region's border. Needs the app's access to the location.
open class UNLocationNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// Keeps a copy of the region.
    public convenience init(region: CLRegion, repeats: Bool) {
        self.init(.location(region.record, repeats: repeats))
    }

    /// A copy: changing it changes nothing.
    open var region: CLRegion {
        guard case .location(let region, _) = record else {
            return CLCircularRegion(center: kCLLocationCoordinate2DInvalid, radius: 0, identifier: "")
        }
        return CLRegion.make(region)
    }
}
