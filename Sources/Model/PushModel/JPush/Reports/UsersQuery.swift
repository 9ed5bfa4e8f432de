/// `time_unit`, `start` and `duration` of a report on users.
///
/// Source: JPush REST API v3, "Report API", "Users". Hours are reported for a single day, from `start` to its end.
package struct UsersQuery: Hashable, Sendable {
    package var unit: ReportUnit
    package var start: String
    package var duration: Int
    /// The names of the requested periods, in order.
    package var times: [String]
    /// The day on which the first period ends; for a month, its last day.
    package var firstEnd: WallTime

    /// - Throws: 3002 for a missing parameter or an invalid number, 3004 if `start` does not fit `time_unit`, 3005 for more than 60 days.
    package init(unit: String?, start: String?, duration: String?) throws(JPushError) {
        func required(_ value: String?, _ name: String) throws(JPushError) -> String {
            guard let value, !value.isEmpty else { throw .badReportParameter("'\(name)' is missing.") }
            return value
        }
        let word = try required(unit, "time_unit")
        let name = try required(start, "start")
        let number = try required(duration, "duration")
        guard let unit = ReportUnit(rawValue: word.uppercased()) else {
            throw .badTimeUnit("'time_unit' is '\(word)'; expected HOUR, DAY or MONTH.")
        }
        guard let first = unit.beginning(of: name) else {
            throw .badTimeUnit("'start' is '\(name)'; expected for \(unit.rawValue) a time such as '\(unit.sample)'.")
        }
        guard let count = Int(number), count >= 1 else {
            throw .badReportParameter("'duration' is '\(number)'; expected a number from 1.")
        }
        guard count <= unit.longest else { throw .reportTooLong }
        var times: [String] = []
        var time: WallTime? = first
        while let now = time, times.count < count {
            times.append(unit.name(of: now))
            time = unit.next(after: now)
        }
        self.unit = unit
        self.start = name
        self.duration = count
        self.times = times
        firstEnd = first
        if unit == .month { firstEnd.day = WallTime.daysInMonth(first.month, of: first.year) }
    }
}

extension ReportUnit {
    fileprivate var sample: String { String("2026-01-02 03".prefix(length)) }

    /// The maximum number of units in one report; two months exceed 60 days but are allowed (our choice).
    fileprivate var longest: Int {
        switch self {
        case .hour: JPushLimits.userReportDays * 24
        case .day: JPushLimits.userReportDays
        case .month: 2
        }
    }
}

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
