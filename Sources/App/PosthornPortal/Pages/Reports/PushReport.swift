import PushService

/// The counts of an app's pushes by hour or day.
struct PushReport {
    /// The counts in an hour or a day, or of all.
    struct Row {
        var pushes = 0
        var counts = DeliveryCounts()

        mutating func add(_ counts: DeliveryCounts?) {
            pushes += 1
            self.counts = self.counts + (counts ?? DeliveryCounts())
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
    ///   - counts: those of its notification; nil for an unknown push.
    mutating func add(at time: String, _ counts: DeliveryCounts?) {
        guard let place = places[time] else { return }
        rows[place].add(counts)
        total.add(counts)
    }
}
