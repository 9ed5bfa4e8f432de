public import Foundation
import PushClock
public import PushModel

/// The reason a notification is delivered, as sent over the port.
public enum TriggerRecord: Hashable, Sendable, Codable {
    /// A push.
    case push
    /// Counted from the time of scheduling, and if repeating from each delivery.
    case timeInterval(TimeInterval, repeats: Bool)
    /// The next date that matches the components; a missing calendar or zone is the device's at that time.
    case calendar(DateComponents, repeats: Bool)
    /// The device crosses the border of the region.
    case location(GeoRegion, repeats: Bool)
    /// A date as in the API before iOS 10.
    case fireDate(FireDate)

    /// Whether it fires again and again; never for a push.
    public var repeats: Bool {
        switch self {
        case .push: false
        case .timeInterval(_, let repeats), .calendar(_, let repeats), .location(_, let repeats): repeats
        case .fireDate(let date): date.repeats
        }
    }
}

/// The due time of a notification of the API before iOS 10: a date, repeated after each calendar period.
public struct FireDate: Hashable, Sendable, Codable {
    /// The first due time.
    public var date: Date
    /// The time zone. If set, ``date`` is a local time there, and is due when the device's local time matches;
    /// otherwise it is an absolute time.
    public var timeZone: TimeZone?
    /// One unit, as `NSCalendar.Unit`; 0, or anything below a minute, for none.
    public var repeatInterval: UInt
    /// The calendar; nil for the device's.
    public var calendar: Calendar?

    /// Creates a due time.
    public init(_ date: Date, timeZone: TimeZone? = nil, repeatInterval: UInt = 0, calendar: Calendar? = nil) {
        self.date = date
        self.timeZone = timeZone
        self.repeatInterval = repeatInterval
        self.calendar = calendar
    }

    /// Whether it is due more than once.
    public var repeats: Bool { period != nil }

    /// Returns the first occurrence after a date, in the device's time zone; nil if there is none.
    package func next(after last: Date, in zone: TimeZone) -> Date? {
        // A date beyond any calendar counts as past.
        guard abs(date.timeIntervalSinceReferenceDate) < Self.farthest else { return nil }
        let first = first(in: zone)
        guard first <= last else { return first }
        guard let period else { return nil }
        var calendar = calendar ?? Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        // Counted from the first date, so that the 31st does not stay the 28th after a February. The mean is not below
        // the calendar's, so the estimate is late by no more than uneven months and clock changes cause.
        var count = max(0, Int(last.timeIntervalSince(first) / period.mean) - 3)
        while let next = calendar.date(byAdding: period.component, value: count * period.count, to: first) {
            if next > last { return next }
            count += 1
        }
        return nil
    }

    private func first(in zone: TimeZone) -> Date {
        guard let timeZone else { return date }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let wall = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second, .nanosecond], from: date)
        calendar.timeZone = zone
        return calendar.date(from: wall) ?? date
    }

    private struct Period {
        var component: Calendar.Component
        var count = 1
        /// The mean length in seconds.
        var mean: Double
    }

    private static let day = 86_400.0
    /// The limit in seconds from the reference date: some 30,000 years.
    private static let farthest = 1e12

    /// Source: Apple, `UILocalNotification.repeatInterval`; a weekday is one day, and its ordinal a week.
    private var period: Period? {
        switch NSCalendar.Unit(rawValue: repeatInterval) {
        case .minute: Period(component: .minute, mean: 60)
        case .hour: Period(component: .hour, mean: 3600)
        case .day, .weekday: Period(component: .day, mean: Self.day)
        case .weekOfYear, .weekOfMonth, .weekdayOrdinal: Period(component: .day, count: 7, mean: 7 * Self.day)
        case .month: Period(component: .month, mean: 30.5 * Self.day)
        case .quarter: Period(component: .month, count: 3, mean: 91.5 * Self.day)
        case .year: Period(component: .year, mean: 366 * Self.day)
        default: nil
        }
    }
}

/// The next firing of a trigger: the only place where the device and its frameworks use a calendar.
package enum TriggerDates {
    /// - Parameters:
    ///   - trigger: the trigger to evaluate.
    ///   - date: the result is after this date. An interval counts from here.
    ///   - zone: the device's time zone, used if the components name none.
    /// - Returns: nil without a time trigger, for components that do not recur, and for an invalid interval.
    package static func next(of trigger: TriggerRecord, after date: Date, in zone: TimeZone) -> Date? {
        switch trigger {
        case .push, .location: nil
        case .timeInterval(let interval, let repeats): next(after: interval, from: date, repeats: repeats)
        case .fireDate(let rule): rule.next(after: date, in: zone)
        case .calendar(let components, _): CalendarRule(components, in: zone).next(after: date)
        }
    }

    private static func next(after interval: TimeInterval, from date: Date, repeats: Bool) -> Date? {
        guard let interval = try? RepeatingInterval(seconds: interval, repeats: repeats) else { return nil }
        return date.addingTimeInterval(min(interval.seconds, RepeatingInterval.longest))
    }
}
