public import CoreLocation
public import Foundation
import PushClock
package import SystemPort

/// The reason a notification is delivered. `@unchecked Sendable`: it is immutable.
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

    /// Returns the class, as Objective-C's method does.
    open class func classForCoder() -> AnyClass { self }

    /// Whether it fires again and again.
    open var repeats: Bool { record.repeats }

    open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationTrigger)?.record == record }
    open override var hash: Int { record.hashValue }

    /// Returns the next date from now on, as on Apple's systems, even for a request that has been waiting for long.
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
        // Apple has a separate class for these.
        case .fireDate: UNNotificationTrigger(record)
        }
    }
}

/// The trigger of a notification that came as a push.
open class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {}

/// A delay after the request is added.
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// Creates a trigger; raises an exception for an interval that is not above 0, or below 60 if it repeats.
    public convenience init(timeInterval: TimeInterval, repeats: Bool) {
        SystemSymbol.intervalTrigger.require()
        if !(timeInterval > 0) {
            RaisedException.raise("time interval must be greater than 0")
        } else if repeats, timeInterval < 60 {
            RaisedException.raise("time interval must be at least 60 if repeating")
        }
        self.init(.timeInterval(timeInterval, repeats: repeats))
    }

    /// The interval in seconds, more than 0; with repeats at least 60.
    open var timeInterval: TimeInterval {
        if case .timeInterval(let interval, _) = record { interval } else { 0 }
    }

    /// Returns the current time plus the interval, regardless of when the request was added.
    open func nextTriggerDate() -> Date? { next() }
}

/// A date, or every matching one.
open class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// Creates a trigger that fires at the next date that matches the components.
    public convenience init(dateMatching dateComponents: DateComponents, repeats: Bool) {
        SystemSymbol.calendarTrigger.require()
        self.init(.calendar(dateComponents, repeats: repeats))
    }

    /// The components, as a copy.
    open var dateComponents: DateComponents {
        if case .calendar(let components, _) = record { components } else { DateComponents() }
    }

    /// Returns nil for components that do not recur.
    open func nextTriggerDate() -> Date? { next() }
}

/// A region crossing. Needs access to the location.
open class UNLocationNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// Creates a trigger with a copy of the region.
    public convenience init(region: CLRegion, repeats: Bool) {
        SystemSymbol.locationTrigger.require()
        self.init(.location(region.record, repeats: repeats))
    }

    /// The region, as a copy.
    open var region: CLRegion {
        guard case .location(let region, _) = record else {
            return CLCircularRegion(center: kCLLocationCoordinate2DInvalid, radius: 0, identifier: "")
        }
        return CLRegion.make(region)
    }
}
