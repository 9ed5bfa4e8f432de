package import Foundation

/// When a trigger fires next: the one place where the device and its frameworks ask a calendar.
package enum TriggerDates {
    /// - Parameters:
    ///   - trigger: whose next moment is wanted.
    ///   - date: the moment is after this one. For an interval it counts from here.
    ///   - zone: of the device, where the components name none.
    /// - Returns: nil for what no clock decides, and for components that do not come again.
    package static func next(of trigger: TriggerRecord, after date: Date, in zone: TimeZone) -> Date? {
        switch trigger {
        case .push, .location: nil
        case .timeInterval(let interval, _): date.addingTimeInterval(interval)
        case .calendar(let components, _): next(matching: components, after: date, in: zone)
        }
    }

    private static func next(matching components: DateComponents, after date: Date, in zone: TimeZone) -> Date? {
        var calendar = components.calendar ?? Calendar(identifier: .gregorian)
        calendar.timeZone = components.timeZone ?? (components.calendar == nil ? zone : calendar.timeZone)
        var wanted = components
        wanted.calendar = nil
        wanted.timeZone = nil
        guard wanted != DateComponents() else { return nil }
        return calendar.nextDate(
            after: date,
            matching: wanted,
            matchingPolicy: .nextTime,
            repeatedTimePolicy: .first,
            direction: .forward
        )
    }
}
