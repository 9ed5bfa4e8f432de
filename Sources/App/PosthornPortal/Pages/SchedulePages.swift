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
        let answer: ScheduleListAnswer = try await visit.read("/v3/schedules?page=\(number)")
        let values: JSONObject = [
            "schedules": .array(try answer.schedules.map { .object(try row($0, visit, firings: 1)) }),
            "total": .number(answer.totalCount), "before": number > 1 ? .number(number - 1) : .null,
            "after": number < answer.totalPages ? .number(number + 1) : .null,
        ]
        return visit.page("schedules", title: visit.texts["schedules", "title"], values, section: "schedules")
    }

    /// Returns the members of a schedule for a page.
    private func row(_ schedule: ScheduleAnswer, _ visit: AppVisit, firings count: Int) throws -> JSONObject {
        let texts = visit.texts
        let trigger = try ScheduleTrigger(json: schedule.trigger)
        let words = TriggerText(trigger: trigger, texts: texts)
        let next = NextFirings(
            trigger,
            count: count,
            zone: portal.timeZone,
            devices: portal.registry.zonesInUse(of: visit.app.id),
            after: portal.clock.date
        )
        var row = JSONCoding.object(of: schedule)
        row["summary"] = .object(PushSummary(schedule.push).json)
        row["rhythm"] = .string(words.rhythm)
        row["range"] = .orNull(words.range)
        row["next"] = .orNull(next.first)
        row["next_zone"] = .orNull(next.zones.first?.zone.identifier)
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
        let schedule: ScheduleAnswer = try await visit.read(path)
        let past: FiringListAnswer = try await visit.read("\(path)/msg_ids")
        // The members that the API lets change.
        var source = JSONCoding.object(of: schedule)
        source["schedule_id"] = nil
        let values: JSONObject = [
            "schedule": .object(try row(schedule, visit, firings: Self.firings)),
            "past": .array(past.msgids.map(row).reversed()), "source": .string(JSONValue.object(source).indented),
        ]
        return visit.page("schedule", title: schedule.name, values, section: "schedules")
    }

    private func row(_ firing: ScheduleFiring) -> JSONValue {
        [
            "at": .string(portal.shown(firing.at)), "msg_id": .orNull(firing.messageID?.description),
            "problem": .orNull(firing.error?.message),
        ]
    }
}
