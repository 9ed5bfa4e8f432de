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
