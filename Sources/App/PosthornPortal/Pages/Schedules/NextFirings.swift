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
        zones = trigger.zones(zone, devices: devices).map { zone in
            var dates: [Date] = []
            while dates.count < count, let next = trigger.next(after: dates.last ?? now, in: zone) {
                dates.append(next)
            }
            return Zone(zone: zone, dates: dates)
        }
        .filter { !$0.dates.isEmpty }.sorted { ($0.dates.first ?? now) < ($1.dates.first ?? now) }
    }

    /// The first firing of all, such as `2026-11-25 09:00:00`; nil if there is none.
    var first: String? { zones.first.flatMap { each in each.dates.first?.shown(in: each.zone) } }

    /// The zones with their firings; at most `limit` of them.
    func json(limit: Int) -> JSONValue {
        let shown = zones.prefix(limit).map { each -> JSONValue in
            let dates = each.dates.map { date -> JSONValue in
                ["local": .string(date.shown(in: each.zone)), "offset": .string(Self.offset(date, each.zone))]
            }
            return ["zone": .string(each.zone.identifier), "dates": .array(dates)]
        }
        return .array(shown)
    }

    /// Returns the offset from UTC, such as `UTC+08:00`.
    private static func offset(_ date: Date, _ zone: TimeZone) -> String {
        let minutes = zone.secondsFromGMT(for: date) / 60
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "UTC\(minutes < 0 ? "-" : "+")\(two(abs(minutes) / 60)):\(two(abs(minutes) % 60))"
    }
}

extension ScheduleTrigger {
    /// Returns the zones in which the trigger fires: its own or the service's, and for a trigger by each device's time those of `devices`.
    func zones(_ service: TimeZone, devices: [String]) -> [TimeZone] {
        let own = zone.flatMap { TimeZone(identifier: $0) } ?? service
        guard isPerDevice else { return [own] }
        return [own] + devices.sorted().compactMap { TimeZone(identifier: $0) }.filter { $0 != service }
    }
}
