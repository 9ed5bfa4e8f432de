import PushModel
import Testing

@Suite("Schedules")
struct ScheduleTests {
    private static let push = "{\"platform\":\"all\",\"audience\":\"all\",\"notification\":{\"alert\":\"hi\"}}"
    private static let single = "{\"single\":{\"time\":\"2026-12-01 09:00:00\"}}"

    private static func object(
        name: String = "\"morning 早\"",
        enabled: String = "true",
        trigger: String = single,
        push: String = push
    ) throws -> JSONObject {
        let text = "{\"name\":\(name),\"enabled\":\(enabled),\"trigger\":\(trigger),\"push\":\(push)}"
        return try #require(try JSONValue(parsing: text).object)
    }

    private static func periodical(_ changes: KeyValuePairs<String, JSONValue?>) -> String {
        var object: JSONObject = [
            "start": "2026-12-01 00:00:00", "end": "2026-12-31 00:00:00", "time": "12:00:00", "time_unit": "week",
            "frequency": 1, "point": ["WED", "fri"],
        ]
        for (key, value) in changes { object[key] = value }
        return JSONValue.object(["periodical": .object(object)]).text
    }

    private static func refusal(_ object: JSONObject) throws -> JPushError {
        try #require(throws: JPushError.self) { try Schedule(object) }
    }

    @Test("A schedule is read, and what was given is kept as it was")
    func reads() throws {
        let schedule = try Schedule(Self.object())
        #expect(schedule.name == "morning 早")
        #expect(schedule.isEnabled)
        #expect(schedule.trigger == ScheduleTrigger(.single(try #require(WallTime("2026-12-01 09:00:00")))))
        #expect(try schedule.triggerJSON == JSONValue(parsing: Self.single))
        #expect(try schedule.push == JSONValue(parsing: Self.push))
        guard case .periodical(let period) = try Schedule(Self.object(trigger: Self.periodical([:]))).trigger.kind
        else {
            Issue.record("A periodical schedule was expected.")
            return
        }
        #expect(period.days == .ofWeek([3, 5]))
        #expect(period.time == 43_200)
    }

    @Test("A mistake is named, with code 8100")
    func refuses() throws {
        let table: [(JSONObject, String)] = [
            ([:], "'name' is missing"),
            (try Self.object(name: "\"\""), "0 bytes"),
            (try Self.object(name: "\"\(String(repeating: "早", count: 86))\""), "258 bytes"),
            (try Self.object(name: "1"), "'name' is a number"),
            (try Self.object(name: #""a\u0000b""#), "U+0000"),
            (try Self.object(enabled: "2"), "'enabled' is a number"),
            (try Self.object(enabled: "false"), "must be enabled"),
            (try Self.object(trigger: "[]"), "'trigger' is an array"),
            (try Self.object(trigger: "{}"), "exactly one of"),
            (try Self.object(trigger: "{\"single\":{},\"periodical\":{}}"), "exactly one of"),
            (try Self.object(trigger: "{\"single\":1}"), "'trigger.single' is a number"),
            (try Self.object(trigger: "{\"single\":{}}"), "'trigger.single.time' is missing"),
            (
                try Self.object(trigger: "{\"single\":{\"time\":\"2026-12-01 09:00:00\"},\"zone\":\"Mars\"}"),
                "'trigger.zone' is \"Mars\"; expected \"device\", or an IANA name such as Europe/Berlin."
            ),
            (
                try Self.object(trigger: "{\"single\":{\"time\":\"2026-12-01 09:00:00\"},\"zone\":\"CST\"}"),
                "'CST' may mean America/Chicago or Asia/Shanghai or America/Havana."
            ),
            (try Self.object(push: "{}"), "'platform'"),
            (try Self.object(push: "[]"), "an array"),
            (try Self.object(push: Self.push.replacing("alert", with: "alrt")), "'push' is not valid"),
        ]
        for (object, words) in table {
            let error = try Self.refusal(object)
            #expect(error.status == 400)
            #expect(error.code == 8100)
            #expect(error.message.hasPrefix("The schedule-task is invalid:"))
            #expect(error.message.contains(words), "\(error.message)")
        }
    }

    @Test(
        "A time is strict",
        arguments: [
            "2026-12-01 9:00:00", "2026-12-01 09:00", "2026-12-01T09:00:00", "2026-12-01  09:00:00",
            "2026-02-29 09:00:00",
            "2026-13-01 09:00:00", "2026-00-01 09:00:00", "2026-12-00 09:00:00", "2026-12-01 24:00:00",
            "2026-12-01 09:60:00", "2026-12-01 09:00:60", "26-12-01 09:00:00", "2026-12-01 09:00:00 ",
            "+026-12-01 09:00:00",
            "２０26-12-01 09:00:00", "",
        ]
    )
    func strict(_ text: String) throws {
        #expect(WallTime(text) == nil)
        let trigger = JSONValue.object(["single": ["time": .string(text)]]).text
        #expect(try Self.refusal(Self.object(trigger: trigger)).message.contains("YYYY-MM-DD HH:MM:SS"))
    }

    @Test("Periods are checked member by member")
    func periods() throws {
        let table: [(KeyValuePairs<String, JSONValue?>, String)] = [
            (["start": nil], "'trigger.periodical.start' is missing"),
            (["end": "x"], "'trigger.periodical.end' is \"x\""),
            (["end": "2026-11-30 23:59:59"], "before 'start'"), (["end": "2027-12-01 00:00:01"], "more than a year"),
            (["time": "9:00:00"], "HH:MM:SS"), (["time": nil], "missing"), (["frequency": 0], "1 to 100"),
            (["frequency": 101], "1 to 100"), (["frequency": "1x"], "1 to 100"), (["frequency": "101"], "1 to 100"),
            (["frequency": nil], "missing"),
            (["time_unit": "year"], "\"year\""), (["time_unit": nil], "missing"), (["point": nil], "array"),
            (["point": []], "array"), (["point": ["MO"]], "\"MO\""), (["point": [3]], "holds 3"),
            (["time_unit": "day"], "no meaning"), (["time_unit": "month"], "holds \"WED\""),
            (["time_unit": "month", "point": ["1"]], "holds \"1\""),
            (["time_unit": "month", "point": ["32"]], "holds \"32\""),
            (["time_unit": "month", "point": ["00"]], "holds \"00\""),
            (["time_unit": "month", "point": ["+1"]], "holds \"+1\""),
        ]
        for (changes, words) in table {
            let error = try Self.refusal(Self.object(trigger: Self.periodical(changes)))
            #expect(error.message.contains(words), "\(error.message)")
        }
        for changes: KeyValuePairs<String, JSONValue?> in [
            ["end": "2027-12-01 00:00:00"], ["time_unit": "WEEK"], ["time_unit": "Day", "point": nil],
            ["time_unit": "day", "point": .null], ["time_unit": "month", "point": ["01", "31"]], ["frequency": 100],
        ] {
            _ = try Schedule(Self.object(trigger: Self.periodical(changes)))
        }
    }

    @Test("A change takes the given parts whole and leaves the others; the kind stays")
    func changes() throws {
        var schedule = try Schedule(Self.object())
        try schedule.change(["enabled": false, "unknown": 1])
        #expect(!schedule.isEnabled)
        #expect(schedule.name == "morning 早")
        try schedule.change(["name": "evening", "enabled": true])
        #expect(schedule.name == "evening")
        let periodical = try #require(try Self.object(trigger: Self.periodical([:]))["trigger"])
        let error = try #require(throws: JPushError.self) { try schedule.change(["trigger": periodical]) }
        #expect(error.code == 8100)
        #expect(schedule.trigger.isSingle)
    }
}
