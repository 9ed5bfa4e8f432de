import Foundation
import Hummingbird
import PushClock
import PushModel
import PushService

/// The schedules of an app: the list, and one with its firings.
struct SchedulePages: Sendable {
    let portal: PortalEnvironment

    /// The numbers of next firings and of zones that a page shows.
    private static let (firings, zones) = (5, 12)

    func add(to router: RouterGroup<PortalContext>) {
        router.page("/schedules", of: portal) { try await list($0) }
        router.page("/schedules/:schedule", of: portal) { try await show($0) }
    }

    // MARK: - The list

    private func list(_ visit: AppVisit) async throws -> Response {
        let number = max(visit.request.wish("page").flatMap { Int($0) } ?? 1, 1)
        let answer = try await visit.get("/v3/schedules?page=\(number)").object
        let schedules = answer?.objects("schedules") ?? []
        let pages = answer?["total_pages"]?.integer ?? 0
        let values: JSONObject = [
            "schedules": .array(schedules.map { .object(row($0, visit, firings: 1)) }),
            "total": answer?["total_count"] ?? 0, "before": number > 1 ? .number(number - 1) : .null,
            "after": number < pages ? .number(number + 1) : .null,
        ]
        return visit.page("schedules", title: visit.texts["schedules", "title"], values, section: "schedules")
    }

    /// Returns the members of a schedule for a page.
    private func row(_ schedule: JSONObject, _ visit: AppVisit, firings count: Int) -> JSONObject {
        let texts = visit.texts
        let trigger = schedule["trigger"] ?? [:]
        let words = TriggerText(trigger.object ?? [:], texts)
        let next = NextFirings(
            trigger,
            count: count,
            zone: portal.timeZone,
            devices: portal.registry.zonesInUse(of: visit.app.id),
            after: portal.clock.date
        )
        var row = schedule
        row["summary"] = .object(PushSummary(schedule["push"]).json)
        row["rhythm"] = .string(words.rhythm)
        row["range"] = .orNull(words.range)
        row["next"] = .orNull(next.first)
        row["next_zone"] = (next.zones.first?.zone.identifier).map { .string($0) } ?? .null
        row["has_next"] = .bool(next.first != nil)
        row["is_per_device"] = .bool(next.isPerDevice)
        row["zones"] = next.json(limit: Self.zones)
        let more = next.zones.count - Self.zones
        row["more_zones"] =
            more > 0 ? .string(texts.text("schedules", "more_zones", with: ["count": "\(more)"])) : .null
        return row
    }

    // MARK: - One schedule

    private func show(_ visit: AppVisit) async throws -> Response {
        let text = try visit.context.parameters.require("schedule")
        guard let id = UUID(uuidString: text)?.uuidString.lowercased() else {
            throw PortalProblem(.notFound, "not_found")
        }
        let path = "/v3/schedules/\(id)"
        let schedule = try await visit.get(path).object ?? [:]
        let past = try await visit.get("\(path)/msg_ids").object
        let values: JSONObject = [
            "schedule": .object(row(schedule, visit, firings: Self.firings)),
            "past": .array((past?["msgids"]?.array ?? []).compactMap(\.string).compactMap(firing).reversed()),
            "source": .string(Self.source(schedule)),
        ]
        let title = schedule["name"]?.string ?? id
        return visit.page("schedule", title: title, values, section: "schedules")
    }

    /// Reads a past firing, which the API returns as JSON in a string.
    private func firing(_ text: String) -> JSONValue? {
        guard let firing = (try? JSONValue(parsing: Array(text.utf8)))?.object,
            let milliseconds = firing["ts"]?.integer
        else { return nil }
        let error = firing["error"]?.object
        return [
            "at": .string(portal.shown(Date(timeIntervalSince1970: Double(milliseconds) / 1000))),
            "msg_id": firing["msg_id"] ?? .null,
            "problem": error?["code"]?.integer == 0 ? .null : error?["message"] ?? .null,
        ]
    }

    /// The members that the API lets change, as indented JSON.
    private static func source(_ schedule: JSONObject) -> String {
        var source: JSONObject = [:]
        for key in ["name", "enabled", "trigger", "push"] { source[key] = schedule[key] }
        return JSONValue.object(source).indented
    }
}
