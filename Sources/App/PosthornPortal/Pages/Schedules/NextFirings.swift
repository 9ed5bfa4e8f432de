import Foundation
import PushModel
import PushService

/// The next firings of a schedule, in each zone for which it has some.
struct NextFirings {
    /// The firings in one zone, the first one first.
    struct Zone {
        var zone: TimeZone
        var dates: [Date]
    }

    /// The zones, the one that fires first before the others.
    let zones: [Zone]
    /// Whether the schedule fires at each device's local time.
    let isPerDevice: Bool

    /// Computes up to `count` firings in each zone.
    ///
    /// `devices`: the zones of the app's devices.
    init(_ trigger: ScheduleTrigger, count: Int, zone: TimeZone, devices: [String], after now: Date) {
        isPerDevice = trigger.isPerDevice
        var all = [trigger.zone.flatMap { TimeZone(identifier: $0) } ?? zone]
        if trigger.isPerDevice {
            all += devices.sorted().compactMap { TimeZone(identifier: $0) }.filter { $0 != zone }
        }
        zones = all.map { zone in
            var dates: [Date] = []
            while dates.count < count, let next = trigger.next(after: dates.last ?? now, in: zone) {
                dates.append(next)
            }
            return Zone(zone: zone, dates: dates)
        }
        .filter { !$0.dates.isEmpty }.sorted { ($0.dates.first ?? now) < ($1.dates.first ?? now) }
    }

    /// The first firing of all, such as `2026-11-25 09:00:00`; nil if there is none.
    var first: String? { zones.first.flatMap { each in each.dates.first.map { Self.shown($0, each.zone) } } }

    /// The zones with their firings; at most `limit` of them.
    func json(limit: Int) -> JSONValue {
        .array(
            zones.prefix(limit).map { each in
                [
                    "zone": .string(each.zone.identifier),
                    "dates": .array(
                        each.dates.map { date in
                            [
                                "local": .string(Self.shown(date, each.zone)),
                                "offset": .string(Self.offset(date, each.zone)),
                            ]
                        }
                    ),
                ]
            }
        )
    }

    private static func shown(_ date: Date, _ zone: TimeZone) -> String {
        let style = Date.ISO8601FormatStyle(timeZone: zone).year().month().day().dateSeparator(.dash)
            .dateTimeSeparator(.space).time(includingFractionalSeconds: false).timeSeparator(.colon)
        return date.formatted(style)
    }

    /// Returns the offset from UTC, such as `UTC+08:00`.
    private static func offset(_ date: Date, _ zone: TimeZone) -> String {
        let minutes = zone.secondsFromGMT(for: date) / 60
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "UTC\(minutes < 0 ? "-" : "+")\(two(abs(minutes) / 60)):\(two(abs(minutes) % 60))"
    }
}
