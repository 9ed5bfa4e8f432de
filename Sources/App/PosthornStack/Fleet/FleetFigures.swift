package import PushModel

/// Counts and times of the phones of a ``PhoneFleet`` so far.
package struct FleetFigures: Sendable {
    /// The phones that have a token.
    package var registered = 0
    /// The links that were opened, and those that ended without the phone's doing.
    package var links = 0
    package var lostLinks = 0
    /// The pushes that arrived, each counted once, and those that were opened.
    package var pushes = 0
    package var opened = 0
    /// The time until all phones had a token.
    var readyAfter: Duration?
    /// From the start of opening a link to the token.
    private(set) var registrations = Percentiles()
    /// From the time in the payload to the arrival.
    private(set) var latencies = Percentiles()
    private var firstPush: Duration?
    private var lastPush = Duration.zero
    /// The last second in which a push arrived, and how many did.
    private var second: (number: Int64, pushes: Int) = (0, 0)
    private var peak = 0

    mutating func registered(within time: Duration) {
        registered += 1
        registrations.add(time)
    }

    mutating func arrived(at time: Duration, latency: Duration?) {
        pushes += 1
        firstPush = firstPush ?? time
        lastPush = time
        if time.components.seconds != second.number { second = (time.components.seconds, 0) }
        second.pushes += 1
        peak = max(peak, second.pushes)
        if let latency { latencies.add(latency) }
    }

    /// The figures with their rates; times in milliseconds.
    package var json: JSONMembers {
        let pushSeconds = firstPush.map { (lastPush - $0) / .seconds(1) } ?? 0
        return [
            "registered": registered, "registeredPerSecond": readyAfter.map { Self.rate(registered, $0 / .seconds(1)) },
            "registration": registrations.json, "links": links, "lostLinks": lostLinks, "pushes": pushes,
            "pushesPerSecond": Self.rate(pushes, pushSeconds), "peakPushesPerSecond": peak,
            "latency": latencies.json, "opened": opened,
        ]
    }

    private static func rate(_ count: Int, _ seconds: Double) -> Double? {
        seconds > 0 ? (Double(count) / seconds * 10).rounded() / 10 : nil
    }
}
