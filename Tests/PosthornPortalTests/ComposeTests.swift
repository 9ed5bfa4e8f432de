import Foundation
import PushClock
import PushService
import Synchronization
import TestSupport
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

@Suite("Composed pushes on versions of iOS", .suiteLimit)
struct ExplainCallTests {
    private static let push = """
        {"platform":"ios","audience":"all","notification":{"ios":{"alert":"Tea","interruption-level":"passive","content-available":true}}}
        """

    private func explain(
        _ body: String,
        _ query: String,
        in language: String = "en",
        status: Int = 200
    ) async throws -> JSONObject {
        let answer = Mutex(JSONObject())
        try await PortalBrowser.run(TurnableClock()) { _, browser, password in
            let token = try await browser.signIn("ana", password)
            let form = "language=\(language)&back=/portal"
            _ = try await browser.call(
                "POST",
                "/language",
                form,
                type: "application/x-www-form-urlencoded",
                token: token
            )
            #expect(try await browser.call("POST", "/api/explain?\(query)", body).status == 403, "It needs the token.")
            let (found, text) = try await browser.call("POST", "/api/explain?\(query)", body, token: token)
            #expect(found == status)
            let json = try JSONValue(parsing: Array(text.utf8)).object
            answer.withLock { $0 = json ?? [:] }
        }
        return answer.withLock(\.self)
    }

    @Test("The push has the outcome that `posthorn explain` prints, for the versions and states that are asked for")
    func rows() async throws {
        let answer = try await explain(Self.push, "ios=12,26,99&states=locked,background,asleep")
        let rows = (answer["rows"]?.array ?? []).compactMap(\.object)
        let names = [
            "in the background", "in the background, in the background, phone locked",
            "in the background, phone locked",
        ]
        #expect(rows.map { $0["name"]?.string } == zip([12, 26, 12], names).map { "iOS \($0) · \($1)" })
        #expect(rows[1]["outcome"]?.string?.contains("its interruption level is passive") == true)
        #expect(rows[1]["callbacks"]?.array?.isEmpty == false)
        #expect(answer["refusal"] == .null)
        #expect(answer["remarks"]?.array?.first?.string?.hasPrefix("'content-available' beside an alert") == true)
        #expect((answer["bytes_left"]?.integer ?? 0) > 3900)
    }

    @Test("Sentences are in the user's language, and alerts in that of the phone")
    func language() async throws {
        let answer = try await explain(Self.push, "ios=26&states=background,front", in: "zh-Hans")
        let rows = (answer["rows"]?.array ?? []).compactMap(\.object)
        #expect(rows.map { $0["name"] } == ["iOS 26 · 在前台", "iOS 26 · 在后台"])
        #expect(rows.last?["outcome"]?.string?.contains("通知中心；") == true)
        #expect(answer["remarks"]?.array?.first?.string?.contains("唤醒") == true)
        let long = Self.push.replacing("Tea", with: String(repeating: "x", count: 5000))
        let refused = try await explain(long, "ios=26&states=front", in: "zh-Hans", status: 400)
        #expect(refused["error"]?.object?["message"]?.string?.contains("字节") == true)
    }

    @Test(
        "Remarks beside what is shown, and those of the review, are Chinese on a Chinese page",
        arguments: [
            (#"{"aps":{"alert":"a","badge":1,"content-available":1}}"#, "通知中心、角标；App 未被唤醒：用户已上滑关闭 App"),
            (#"{"aps":{"mutable-content":1}}"#, "“alert”类型的推送没有用户能察觉的内容；应有 alert、badge 或 sound。"),
            (
                #"{"headers":{"apns-push-type":"alert"},"payload":{"aps":{"content-available":1}}}"#,
                "应有“background”类型。"
            ),
            (#"{"aps":{"alert":"a","badge":"3"}}"#, "“aps.badge”是字符串“3”，应为不小于 0 的整数。"),
            (#"{"aps":{"alert":"a"},"badge":3}"#, "“badge”与“aps”并列，系统只读取“aps”之内的。"),
        ]
    )
    func chinese(_ push: String, _ said: String) async throws {
        let answer = try await explain(push, "ios=18,26&states=background,locked,forceQuit", in: "zh-Hans")
        #expect(answer.text.contains(said), "\(answer.text)")
        #expect(!answer.text.contains("but ") && !answer.text.contains(", 在"), "\(answer.text)")
    }

    @Test("What APNs never gets, and what is no push, is a refusal")
    func refusals() async throws {
        let message = #"{"platform":"ios","audience":"all","message":{"msg_content":"Hi"}}"#
        let refused = try await explain(message, "", status: 400)
        #expect(refused["error"]?.object?["message"]?.string?.contains("no notification") == true)
        let chinese = try await explain(message, "", in: "zh-Hans", status: 400)
        #expect(chinese["error"]?.object?["message"] == "推送中没有通知，没有内容发往 APNs。")
        let long = #"{"aps":{"alert":"\#(String(repeating: "x", count: 5000))"}}"#
        let answer = try await explain(long, "ios=26&states=front", in: "zh-Hans")
        #expect(answer["refusal"]?.string?.hasPrefix("PayloadTooLarge：payload") == true)
        #expect(answer["rows"] == [])
    }
}
