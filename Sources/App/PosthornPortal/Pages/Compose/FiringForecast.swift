import Foundation
import PushModel
import PushService

/// The firings of a schedule in one zone, and those that a clock change moves.
struct FiringForecast {
    /// The effect of a clock change on a firing.
    enum Move: String {
        /// Clocks skip its time: it fires at the change.
        case skipped
        /// Clocks show its time twice: it fires the first time.
        case repeated
        /// Clocks show the same time as for the firing before that was not skipped, at another time in UTC.
        case shifted
    }

    struct Firing {
        var date: Date
        var move: Move?
    }

    let zone: TimeZone
    private(set) var firings: [Firing] = []

    /// The greatest number of firings looked at: a year of days.
    private static let limit = 400
    /// The number of firings shown from the start, beside those that move.
    private static let shown = 3

    /// Computes the firings after `date`.
    init(_ trigger: ScheduleTrigger, in zone: TimeZone, after date: Date) {
        self.zone = zone
        var last = date
        while firings.count < Self.limit, let next = trigger.next(after: last, in: zone) {
            firings.append(Firing(date: next, move: move(of: next, wanted: trigger.secondOfDay)))
            last = next
        }
    }

    private func move(of date: Date, wanted: Int) -> Move? {
        if secondOfDay(date) != wanted { return .skipped }
        let change = zone.nextDaylightSavingTimeTransition(after: date)
        if let change {
            let back = zone.secondsFromGMT(for: date) - zone.secondsFromGMT(for: change)
            if back > 0, change.timeIntervalSince(date) <= Double(back) { return .repeated }
        }
        guard let before = firings.last(where: { $0.move != .skipped })?.date else { return nil }
        return zone.secondsFromGMT(for: before) == zone.secondsFromGMT(for: date) ? nil : .shifted
    }

    private func secondOfDay(_ date: Date) -> Int {
        let local = Int(date.timeIntervalSince1970.rounded(.down)) + zone.secondsFromGMT(for: date)
        return (local % 86_400 + 86_400) % 86_400
    }

    /// The zone, the number of firings, and those worth showing.
    var values: PageValues {
        let some = firings.enumerated().filter { $0.offset < Self.shown || $0.element.move != nil }.map(\.element)
        let rows = some.map { firing -> PageValues in
            [
                "at": firing.date, "local": firing.date.shown(in: zone),
                "offset": zone.secondsFromGMT(for: firing.date) / 60, "move": firing.move?.rawValue,
            ]
        }
        return ["zone": zone.identifier, "total": firings.count, "firings": rows]
    }
}

extension ScheduleTrigger {
    /// The time of day, in seconds since midnight.
    fileprivate var secondOfDay: Int {
        switch kind {
        case .single(let time): time.secondOfDay
        case .periodical(let period): period.time
        }
    }
}
