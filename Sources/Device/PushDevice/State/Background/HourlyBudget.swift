import Foundation

/// A budget of something that the system rations by the hour: the times at which an app has used it.
struct HourlyBudget: Sendable {
    private static let hour: TimeInterval = 3600
    private var times: [Date] = []

    /// Whether some of the budget is left; a limit of nil is none.
    func isLeft(at date: Date, limit: Int?) -> Bool {
        limit.map { limit in times.count { $0 > date.addingTimeInterval(-Self.hour) } < limit } ?? true
    }

    mutating func spend(at date: Date) {
        times.removeAll { $0 <= date.addingTimeInterval(-Self.hour) }
        times.append(date)
    }

    /// Spends some of the budget if there is a limit. Returns false if nothing is left.
    mutating func spend(at date: Date, limit: Int?) -> Bool {
        guard isLeft(at: date, limit: limit) else { return false }
        if limit != nil { spend(at: date) }
        return true
    }

    /// Returns the time from which some of the budget is left.
    func next(from date: Date, limit: Int) -> Date {
        guard limit > 0, times.count >= limit else { return date }
        return times.sorted()[times.count - limit].addingTimeInterval(Self.hour)
    }
}
