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
    func values(limit: Int) -> [PageValues] {
        zones.prefix(limit).map { each in
            let dates = each.dates.map { date -> PageValues in
                ["local": date.shown(in: each.zone), "offset": "UTC\(each.zone.offset(at: date))"]
            }
            return ["zone": each.zone.identifier, "dates": dates]
        }
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

/// The trigger of a schedule in words.
struct TriggerText {
    let trigger: ScheduleTrigger
    let texts: Catalogue

    /// Such as "Every 2 weeks on MON, FRI at 09:00:00".
    var rhythm: String {
        switch trigger.kind {
        case .single(let time): return texts.text("schedules", "once", with: ["time": "\(time)"])
        case .periodical(let period):
            let unit = period.days.unit
            let points = period.days.points.map { point(of: $0, unit) }
            let values = [
                "n": "\(period.frequency)", "time": WallTime.text(period.time),
                "points": points.joined(separator: texts["schedules", "comma"]),
            ]
            return texts.text("schedules", "\(unit)\(period.frequency == 1 ? "" : "s")", with: values)
        }
    }

    private func point(of text: String, _ unit: String) -> String {
        unit == "week" ? texts["schedules", "day_\(text.lowercased())"] : String(Int(text) ?? 0)
    }

    /// The first and the last day of a periodical trigger; nil for a single one.
    var range: String? {
        guard case .periodical(let period) = trigger.kind else { return nil }
        return texts.text("schedules", "range", with: ["start": "\(period.start)", "end": "\(period.end)"])
    }
}

/// A push in a line: its text and its audience.
struct PushSummary {
    /// The title or text of the notification, or the text of the custom message; nil if it shows nothing.
    let text: String?
    /// The audience as `key` and `values`; empty for a push to all.
    let audience: [(key: String, values: [String])]

    /// `push`: a push object of the API.
    init(_ push: JSONValue?) {
        let push = push?.object
        text = Self.text(push)
        let audience = push?["audience"]?.object?.members ?? []
        self.audience = audience.compactMap { part in
            let values = part.value.array?.map { $0.string ?? $0.text } ?? [part.value.text]
            return values.isEmpty ? nil : (part.key, values)
        }
    }

    private static func text(_ push: JSONObject?) -> String? {
        let notification = push?["notification"]?.object
        let alert = notification?["ios"]?.object?["alert"] ?? notification?["alert"]
        let shown = [alert?.string, alert?.object?["title"]?.string, alert?.object?["body"]?.string]
        return shown.lazy.compactMap { $0 }.first { !$0.isEmpty } ?? push?["message"]?.object?["msg_content"]?.string
    }

    var values: PageValues {
        let parts = audience.map { part -> PageValues in ["key": part.key, "values": part.values] }
        return ["text": text, "is_to_all": audience.isEmpty, "audience": parts]
    }
}
