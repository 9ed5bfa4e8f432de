import Foundation
import PushModel
import PushService
import Testing

@testable import PosthornPortal

@Suite("A schedule in words")
struct ScheduleTextTests {
    private static func trigger(
        _ unit: String,
        every frequency: Int64 = 1,
        on points: [JSONValue] = [],
        zone: String? = nil
    ) -> JSONObject {
        var period: JSONObject = [
            "start": "2027-02-01 00:00:00", "end": "2027-05-31 00:00:00", "time": "02:30:00",
            "time_unit": .string(unit), "frequency": .integer(frequency),
        ]
        if !points.isEmpty { period["point"] = .array(points) }
        var trigger: JSONObject = ["periodical": .object(period)]
        trigger["zone"] = zone.map { .string($0) }
        return trigger
    }

    @Test(
        "The rhythm is told in both languages",
        arguments: [
            (["single": ["time": "2027-01-05 10:00:00"]], "Once, at 2027-01-05 10:00:00", "2027-01-05 10:00:00 执行一次"),
            (trigger("day"), "Every day at 02:30:00", "每天 02:30:00"),
            (trigger("DAY", every: 3), "Every 3 days at 02:30:00", "每 3 天，02:30:00"),
            (trigger("WEEK", on: ["MON", "FRI"]), "Every week on Monday, Friday at 02:30:00", "每周一、周五 02:30:00"),
            (
                trigger("month", every: 2, on: ["01", "28"]), "Every 2 months on day 1, 28 at 02:30:00",
                "每 2 个月的 1、28 日 02:30:00"
            ),
        ] as [(JSONObject, String, String)]
    )
    func rhythm(_ trigger: JSONObject, _ english: String, _ chinese: String) throws {
        let trigger = try ScheduleTrigger(json: .object(trigger))
        for (language, text) in [(Language.english, english), (.simplifiedChinese, chinese)] {
            #expect(TriggerText(trigger: trigger, texts: try Catalogue(language, from: .embedded)).rhythm == text)
        }
    }

    // MARK: - Next firings

    private func firings(_ trigger: JSONObject, count: Int, devices: [String] = []) throws -> NextFirings {
        NextFirings(
            try ScheduleTrigger(json: .object(trigger)),
            count: count,
            zone: try #require(TimeZone(identifier: "Asia/Shanghai")),
            devices: devices,
            after: try Date("2027-02-27T00:00:00Z", strategy: .iso8601)
        )
    }

    @Test("Firings are in the trigger's zone, with the offset of each")
    func zone() throws {
        let next = try firings(Self.trigger("month", on: ["28"], zone: "Europe/Berlin"), count: 3)
        #expect(next.first == "2027-02-28 02:30:00")
        let dates: JSONValue = [
            ["local": "2027-02-28 02:30:00", "offset": "UTC+01:00"],
            // Clocks skip 02:30.
            ["local": "2027-03-28 03:00:00", "offset": "UTC+02:00"],
            ["local": "2027-04-28 02:30:00", "offset": "UTC+02:00"],
        ]
        #expect(JSONCoding.json(of: next.values(limit: 5)) == [["zone": "Europe/Berlin", "dates": dates]])
    }

    @Test("At each device's time, the zone that fires first comes first; one without firings is left out")
    func perDevice() throws {
        let single: JSONObject = ["zone": "device", "single": ["time": "2027-02-27 09:00:00"]]
        let next = try firings(single, count: 2, devices: ["America/New_York", "Pacific/Kiritimati", "Europe/Berlin"])
        #expect(next.isPerDevice)
        #expect(next.zones.map(\.zone.identifier) == ["Asia/Shanghai", "Europe/Berlin", "America/New_York"])
        #expect(next.values(limit: 1).count == 1)
    }

    @Test("A trigger without a firing to come has none")
    func over() throws {
        let next = try firings(["single": ["time": "2020-01-01 00:00:00"]], count: 2)
        #expect(next.first == nil && next.zones.isEmpty)
    }

    // MARK: - The push

    @Test(
        "The text is that of the alert, or of the custom message",
        arguments: [
            (["notification": ["ios": ["alert": ["title": "Title", "body": "Body"]]]], "Title"),
            (["notification": ["alert": "Plain"]], "Plain"),
            (["notification": ["ios": ["alert": ["title": "", "body": "Body"]]]], "Body"),
            (["message": ["msg_content": "Custom"]], "Custom"),
            (["notification": ["ios": ["content-available": true]]], nil),
        ] as [(JSONValue, String?)]
    )
    func text(_ push: JSONValue, _ text: String?) { #expect(PushSummary(push).text == text) }

    @Test("The audience is its parts; everyone has none")
    func audience() {
        let some = PushSummary(["audience": ["tag": ["a", "b"], "alias": [], "file": ["file_id": "x"]]])
        #expect(some.audience.map(\.key) == ["tag", "file"])
        #expect(some.audience.first?.values == ["a", "b"])
        #expect(PushSummary(["audience": "all"]).values.json["is_to_all"] == true)
    }
}
