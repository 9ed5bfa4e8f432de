import Foundation
import Hummingbird
import PushClock
import PushModel
import PushService

/// The schedules of an app: the list, and one with its firings.
extension AppVisit {
    /// The numbers of next firings and of zones that a page shows.
    private static let firings = 5
    private static let zones = 12

    func listSchedules() async throws -> Response {
        let number = max(request.wish("page").flatMap { Int($0) } ?? 1, 1)
        let answer: ScheduleListAnswer = try await read("/v3/schedules?page=\(number)")
        let values: PageValues = [
            "schedules": try answer.schedules.map { try row($0, firings: 1) }, "total": answer.totalCount,
            "before": number > 1 ? number - 1 : nil, "after": number < answer.totalPages ? number + 1 : nil,
        ]
        return page("schedules", values)
    }

    /// Returns the members of a schedule for a page.
    private func row(_ schedule: ScheduleAnswer, firings count: Int) throws -> PageValues {
        let trigger = try ScheduleTrigger(json: schedule.trigger)
        let words = TriggerText(trigger: trigger, texts: texts)
        let next = NextFirings(
            trigger,
            count: count,
            zone: portal.timeZone,
            devices: portal.registry.zonesInUse(of: app.id),
            after: portal.clock.date
        )
        var row = PageValues(of: schedule)
        row["summary"] = PushSummary(schedule.push).values
        row["rhythm"] = words.rhythm
        row["range"] = words.range
        row["next"] = next.first
        row["next_zone"] = next.zones.first?.zone.identifier
        row["has_next"] = next.first != nil
        row["is_per_device"] = next.isPerDevice
        row["zones"] = next.values(limit: Self.zones)
        let more = next.zones.count - Self.zones
        row["more_zones"] = more > 0 ? texts.text("schedules", "more_zones", with: ["count": "\(more)"]) : nil
        return row
    }

    func showSchedule() async throws -> Response {
        let text = try context.parameters.require("schedule")
        guard let id = UUID(uuidString: text)?.uuidString.lowercased() else {
            throw PortalProblem(.notFound, "not_found")
        }
        let path = "/v3/schedules/\(id)"
        let schedule: ScheduleAnswer = try await read(path)
        let past: FiringListAnswer = try await read("\(path)/msg_ids")
        // The members that the API lets change.
        var source = JSONCoding.object(of: schedule)
        source["schedule_id"] = nil
        let rows = past.msgids.reversed().map { firing -> PageValues in
            [
                "at": portal.shown(firing.at), "msg_id": firing.messageID?.description,
                "problem": firing.error.map { texts.said($0.message) },
            ]
        }
        let values: PageValues = [
            "schedule": try row(schedule, firings: Self.firings), "past": rows,
            "source": JSONValue.object(source).indented,
        ]
        return page("schedule", title: schedule.name, values, section: "schedules")
    }
}
