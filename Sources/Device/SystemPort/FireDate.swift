public import Foundation

/// When a notification of before iOS 10 is due: at a date, and after each period of the calendar from there.
public struct FireDate: Hashable, Sendable, Codable {
    public var date: Date
    /// With a zone ``date`` is a time on the wall there, and is due when clocks of the device's zone show it; without one it
    /// is an instant.
    public var timeZone: TimeZone?
    /// One unit, as `NSCalendar.Unit`; 0, and all below a minute, for none.
    public var repeatInterval: UInt
    /// Nil: the device's.
    public var calendar: Calendar?

    public init(_ date: Date, timeZone: TimeZone? = nil, repeatInterval: UInt = 0, calendar: Calendar? = nil) {
        self.date = date
        self.timeZone = timeZone
        self.repeatInterval = repeatInterval
        self.calendar = calendar
    }

    public var repeats: Bool { period != nil }

    /// - Parameters:
    ///   - last: the moment is after this one.
    ///   - zone: of the device.
    /// - Returns: nil if it does not come again.
    package func next(after last: Date, in zone: TimeZone) -> Date? {
        // A date that no calendar knows has passed.
        guard abs(date.timeIntervalSinceReferenceDate) < Self.farthest else { return nil }
        let first = first(in: zone)
        guard first <= last else { return first }
        guard let period else { return nil }
        var calendar = calendar ?? Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        // Counted from the first date, so that the 31st is not the 28th for ever after one February. The mean is not below the
        // calendar's, so the guess is not too late by more than uneven months and changed clocks make.
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
        /// In seconds.
        var mean: Double
    }

    private static let day = 86_400.0
    /// In seconds from the reference date: some 30,000 years.
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
