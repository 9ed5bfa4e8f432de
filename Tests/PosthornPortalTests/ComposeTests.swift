import Foundation
import PushService
import Testing

@testable import PosthornPortal
@testable import PushModel

@Suite("Composing a push")
struct ComposeTests {
    @Test("Each field has its own name, and an explanation in each language")
    func explained() throws {
        let ids = ComposeField.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        for language in Language.allCases {
            let texts = try Catalogue(language, from: .embedded)
            for id in ids { #expect(!texts["compose", "hint_\(id)"].hasPrefix("compose."), "hint_\(id), \(language)") }
        }
    }

    @Test("Every member that the service knows has a field")
    func whole() {
        let paths = Set(ComposeField.all.map(\.path))
        // These have parts, each with a field of its own.
        let parts: Set = ["alert"]
        for key in PushReader.iosKeys where !parts.contains(key) {
            #expect(paths.contains("notification.ios.\(key)"), "\(key)")
        }
        for key in PushReader.messageKeys { #expect(paths.contains("message.\(key)"), "\(key)") }
        // The environment has a switch of its own.
        let options = [
            "sendno", "time_to_live", "override_msg_id", "apns_collapse_id", "big_push_duration", "x_rate",
            "x_quiet_hours", "x_strict", "x_topic",
        ]
        for key in options { #expect(paths.contains("options.\(key)"), "\(key)") }
    }

    // MARK: - Firings

    private func forecast(
        _ json: JSONValue,
        from date: String,
        in zone: String = "Europe/Berlin"
    ) throws -> FiringForecast {
        FiringForecast(
            try ScheduleTrigger(json: json),
            in: try #require(TimeZone(identifier: zone)),
            after: try Date(date, strategy: .iso8601)
        )
    }

    private func daily(_ time: String, _ start: String, _ end: String) -> JSONValue {
        [
            "periodical": [
                "start": .string("\(start) 00:00:00"), "end": .string("\(end) 23:59:59"), "time": .string(time),
                "time_unit": "day", "frequency": 1,
            ]
        ]
    }

    private func moves(_ forecast: FiringForecast) -> [String: FiringForecast.Move] {
        Dictionary(
            uniqueKeysWithValues: forecast.firings.compactMap { firing in
                firing.move.map { (firing.date.formatted(.iso8601), $0) }
            }
        )
    }

    @Test("A time that clocks skip fires at the change, and from the next day on at another time in UTC")
    func forward() throws {
        let found = try forecast(daily("02:30:00", "2027-03-25", "2027-04-02"), from: "2027-03-01T00:00:00Z")
        #expect(found.firings.count == 9)
        #expect(moves(found) == ["2027-03-28T01:00:00Z": .skipped, "2027-03-29T00:30:00Z": .shifted])
    }

    @Test("A time that clocks show twice fires the first time, and a time of day outside the change is shifted")
    func back() throws {
        let twice = try forecast(daily("02:30:00", "2026-10-23", "2026-10-27"), from: "2026-10-01T00:00:00Z")
        #expect(moves(twice) == ["2026-10-25T00:30:00Z": .repeated, "2026-10-26T01:30:00Z": .shifted])
        let noon = try forecast(daily("12:00:00", "2026-10-23", "2026-10-27"), from: "2026-10-01T00:00:00Z")
        #expect(moves(noon) == ["2026-10-25T11:00:00Z": .shifted])
    }

    @Test("Nothing moves in a zone without clock changes; of many firings, the first three are shown")
    func still() throws {
        let found = try forecast(
            daily("09:00:00", "2026-06-01", "2027-05-31"),
            from: "2026-05-01T00:00:00Z",
            in: "Asia/Shanghai"
        )
        #expect(moves(found).isEmpty)
        let json = found.values.json
        #expect(json["total"] == 365)
        #expect(json["firings"]?.array?.count == 3)
        #expect(json["firings"]?.array?.first?.object?["local"] == "2026-06-01 09:00:00")
        #expect(json["firings"]?.array?.first?.object?["offset"] == 480)
    }

    @Test("A single time on a day of a clock change is told too, and a past one has no firing")
    func single() throws {
        let trigger: JSONValue = ["single": ["time": "2027-03-28 02:15:00"]]
        #expect(moves(try forecast(trigger, from: "2027-01-01T00:00:00Z")) == ["2027-03-28T01:00:00Z": .skipped])
        #expect(try forecast(trigger, from: "2027-04-01T00:00:00Z").firings.isEmpty)
    }
}
