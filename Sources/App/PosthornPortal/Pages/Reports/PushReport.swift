import PushModel

/// The counts of an app's pushes by hour or day.
struct PushReport {
    /// The counts in an hour or a day, or of all.
    struct Row {
        var pushes = 0
        var target = 0
        var sent = 0
        var received = 0
        var opened = 0

        mutating func add(_ counts: JSONObject?) {
            func number(_ key: String) -> Int { Int(counts?[key]?.integer ?? 0) }
            pushes += 1
            target += number("target")
            sent += number("sent")
            received += number("received")
            opened += number("click")
        }
    }

    let period: ReportPeriod
    private(set) var rows: [Row]
    private(set) var total = Row()
    private let places: [String: Int]

    init(_ period: ReportPeriod) {
        self.period = period
        rows = period.times.map { _ in Row() }
        places = Dictionary(uniqueKeysWithValues: zip(period.times, period.times.indices))
    }

    /// Adds a push.
    ///
    /// - Parameters:
    ///   - time: the hour or the day at which it was accepted.
    ///   - counts: those of its notification: `target`, `sent`, `received`, `click`.
    mutating func add(at time: String, _ counts: JSONObject?) {
        guard let place = places[time] else { return }
        rows[place].add(counts)
        total.add(counts)
    }
}
