/// The period over which users are counted, written as `2026-01-02 03`, `2026-01-02` or `2026-01`.
package enum ReportUnit: String, Codable, Hashable, Sendable, CaseIterable {
    case hour = "HOUR"
    case day = "DAY"
    case month = "MONTH"

    /// The number of characters in a period's name.
    package var length: Int {
        switch self {
        case .hour: 13
        case .day: 10
        case .month: 7
        }
    }

    /// Returns the beginning of the period with this name; nil for an invalid name.
    func beginning(of name: String) -> WallTime? {
        guard name.utf8.count == length else { return nil }
        return WallTime(name + "2026-01-01 00:00:00".dropFirst(length))
    }

    func name(of time: WallTime) -> String { String(time.description.prefix(length)) }

    /// Returns the beginning of the next period; nil after the last hour of a day.
    func next(after time: WallTime) -> WallTime? {
        var next = time
        switch self {
        case .hour:
            next.secondOfDay += 3600
            return next.secondOfDay < 86_400 ? next : nil
        case .day:
            next.day += 1
            guard next.day > WallTime.daysInMonth(time.month, of: time.year) else { return next }
            next.day = 1
            next.month += 1
        case .month: next.month += 1
        }
        if next.month > 12 {
            next.year = time.year + 1
            next.month = 1
        }
        return next
    }
}
