import Foundation
import PushAPI
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

/// Virtual time begins on 1 January 2026 at 08:00 UTC: 16:00 in China.
@Suite("Schedules over a socket", .suiteLimit)
struct ScheduleRouteTests {
    private static let trigger = "{\"single\":{\"time\":\"2026-01-01 16:30:00\"}}"
    private static let periodical = """
        {"periodical":{"start":"2026-01-01 00:00:00","end":"2026-12-31 00:00:00","time":"12:00:00","time_unit":"WEEK",\
        "frequency":1,"point":["WED","FRI"]}}
        """
    private static func body(name: String = "morning", trigger: String = trigger, more: String = "") -> String {
        "{\"name\":\"\(name)\",\"enabled\":true,\"trigger\":\(trigger),\"push\":\(hello)\(more)}"
    }

    private static func create(_ api: TestAPI, _ body: String = body()) async throws -> String {
        let answer = try await api.call("POST", "/v3/schedules", body)
        #expect(answer.status == 200, "\(answer.text)")
        return try #require(answer.json?["schedule_id"]?.string)
    }

    @Test("A schedule is made, read, listed, changed and deleted, in exactly the keys of JPush")
    func life() async throws {
        try await TestAPI.run { api in
            let created = try await api.call("POST", "/v3/schedules", Self.body())
            #expect(created.status == 200)
            #expect(created.json?.keys == ["schedule_id", "name"])
            #expect(created.json?["name"] == "morning")
            let id = try #require(created.json?["schedule_id"]?.string)
            #expect(UUID(uuidString: id) != nil)
            #expect(id == id.lowercased())
            let one = try await api.call("GET", "/v3/schedules/\(id)")
            #expect(one.json?.keys == ["schedule_id", "name", "enabled", "trigger", "push"])
            #expect(try one.json?["trigger"] == JSONValue(parsing: Self.trigger))
            #expect(try one.json?["push"] == JSONValue(parsing: hello))
            let list = try await api.call("GET", "/v3/schedules?page=1")
            #expect(list.json?.keys == ["total_count", "total_pages", "page", "schedules"])
            #expect(list.json?["total_count"] == 1)
            #expect(list.json?["total_pages"] == 1)
            #expect(list.json?["page"] == 1)
            #expect(list.json?["schedules"]?.array?.map(\.object) == [one.json])
            let changed = try await api.call("PUT", "/v3/schedules/\(id)", "{\"name\":\"evening\",\"enabled\":false}")
            #expect(changed.status == 200)
            #expect(changed.json?["name"] == "evening")
            #expect(changed.json?["enabled"] == false)
            #expect(try await api.call("GET", "/v3/schedules/\(id.uppercased())").json == changed.json)
            let deleted = try await api.call("DELETE", "/v3/schedules/\(id)")
            #expect(deleted.status == 200)
            #expect(deleted.text.hasSuffix("{}"))
            #expect(try await api.call("GET", "/v3/schedules/\(id)").code == 8104)
            #expect(try await api.call("GET", "/v3/schedules").json?["total_pages"] == 0)
        }
    }

    @Test("A schedule with an unknown segment is refused, made or changed; what a text message lacks is a warning")
    func segmentsAndTextMessages() async throws {
        try await TestAPI.run { api in
            func body(_ audience: String, _ more: String = "") -> String {
                let push = #"{"platform":"all","audience":\#(audience),"notification":{"alert":"x"}\#(more)}"#
                return "{\"name\":\"n\",\"enabled\":true,\"trigger\":\(Self.trigger),\"push\":\(push)}"
            }
            let segment = body(#"{"segment":["gone"]}"#)
            let refused = try await api.call("POST", "/v3/schedules", segment)
            #expect(refused.status == 400 && refused.code == 8100)
            #expect(refused.text.contains("'gone'"), "\(refused.text)")
            let id = try await Self.create(api)
            #expect(try await api.call("PUT", "/v3/schedules/\(id)", segment).code == 8100)
            #expect(try await api.call("PUT", "/posthorn/v1/segments/gone", "{\"audience\":\"all\"}").status == 200)
            _ = try await Self.create(api, segment)
            #expect(try await api.call("PUT", "/v3/schedules/\(id)", segment).status == 200)
            let message = body("\"all\"", #","sms_message":{"content":"c"}"#)
            let made = try await api.call("POST", "/v3/schedules", message)
            #expect(made.json?["warnings"]?.array?.map { $0.object?["path"] } == ["sms_message"], "\(made.text)")
            let withoutCID = String(segment.dropLast()) + ",\"cid\":\"\"}"
            let empty = try await api.call("POST", "/v3/schedules", withoutCID)
            #expect(empty.code == 8100 && empty.text.contains("'cid' is ''"), "\(empty.text)")
        }
    }

    @Test("Pages hold fifty; what lies beyond the last is empty")
    func pages() async throws {
        try await TestAPI.run { api in
            for number in 0..<51 { _ = try await Self.create(api, Self.body(name: "task\(number)")) }
            for (target, page, count) in [("", 1, 50), ("?page=", 1, 50), ("?page=2", 2, 1), ("?page=9", 9, 0)] {
                let answer = try await api.call("GET", "/v3/schedules\(target)")
                #expect(answer.json?["total_count"] == 51)
                #expect(answer.json?["total_pages"] == 2)
                #expect(answer.json?["page"] == .integer(Int64(page)))
                #expect(answer.json?["schedules"]?.array?.count == count)
            }
            let last = try await api.call("GET", "/v3/schedules?page=2")
            #expect(last.json?["schedules"]?.array?.first?.object?["name"] == "task50")
            for page in ["0", "-1", "x"] {
                #expect(try await api.call("GET", "/v3/schedules?page=\(page)").code == 8100)
            }
        }
    }

    @Test("After its time a schedule's pushes are told as JSON in strings")
    func messages() async throws {
        try await TestAPI.run { api in
            try await api.addDevice()
            let id = try await Self.create(api)
            let none = try await api.call("GET", "/v3/schedules/\(id)/msg_ids")
            #expect(none.json?.keys == ["count", "msgids"])
            #expect(none.json?["count"] == 0)
            #expect(none.json?["msgids"] == [])
            try await api.clock.sleeper()
            await api.clock.advance(by: .seconds(1800))
            try await eventually("no schedule is due") {
                try await api.core.store.dueSchedules(at: api.clock.date, limit: 1).isEmpty
            }
            let one = try await api.call("GET", "/v3/schedules/\(id)/msg_ids/")
            #expect(one.json?["count"] == 1)
            let text = try #require(one.json?["msgids"]?.array?.first?.string)
            let firing = try #require(try JSONValue(parsing: text).object)
            #expect(firing.keys == ["msg_id", "error", "needRetry", "ts"])
            #expect(firing["msg_id"]?.string.flatMap { MessageID($0) } != nil)
            #expect(firing["error"] == ["code": 0, "message": ""])
            #expect(firing["needRetry"] == false)
            #expect(firing["ts"] == .integer(Int64(api.clock.date.timeIntervalSince1970 * 1000)))
            #expect(try await api.call("GET", "/v3/schedules/\(id)").code == 8104)
        }
    }

    @Test("Every failure of the family has its code and status")
    func errors() async throws {
        try await TestAPI.run { api in
            let id = try await Self.create(api)
            let unknown = UUID().uuidString
            let table: [(String, String, String?, Int, Int64)] = [
                ("POST", "/v3/schedules", "", 400, 8100), ("POST", "/v3/schedules", "{}", 400, 8100),
                ("POST", "/v3/schedules", Self.body() + "x", 400, 8100),
                ("POST", "/v3/schedules", Self.body(trigger: "{}"), 400, 8100),
                ("POST", "/v3/schedules", Self.body(more: ",\"cid\":\"x\""), 400, 8100),
                ("GET", "/v3/schedules/x", nil, 404, 8104), ("GET", "/v3/schedules/\(unknown)", nil, 404, 8104),
                ("PUT", "/v3/schedules/\(unknown)", "{}", 404, 8104), ("PUT", "/v3/schedules/x", "{}", 404, 8104),
                ("DELETE", "/v3/schedules/\(unknown)", nil, 404, 8104),
                ("GET", "/v3/schedules/\(unknown)/msg_ids", nil, 404, 8104),
                ("PUT", "/v3/schedules/\(id)", "[]", 400, 8100),
                ("PUT", "/v3/schedules/\(id)", "{\"name\":1}", 400, 8100),
                ("PUT", "/v3/schedules/\(id)", "{\"trigger\":\(Self.periodical)}", 400, 8100),
                ("PUT", "/v3/schedules/\(id)", "{\"push\":{}}", 400, 8100),
                ("PUT", "/v3/schedules", "{}", 405, 8100), ("POST", "/v3/schedules/\(id)", "{}", 405, 8100),
                ("DELETE", "/v3/schedules/\(id)/msg_ids", nil, 405, 8100),
            ]
            for (method, target, body, status, code) in table {
                let answer = try await api.call(method, target, body)
                #expect(answer.status == status, "\(method) \(target): \(answer.text)")
                #expect(answer.code == code, "\(method) \(target): \(answer.text)")
                #expect(answer.headers["x-rate-limit-limit"] != nil)
            }
            for authorization in [nil, "Basic", TestAPI.basic("\(api.app.key):x"), TestAPI.basic("short:x")] {
                let answer = try await api.call("GET", "/v3/schedules", authorization: .some(authorization))
                #expect(answer.status == 401)
                #expect(answer.code == 8101)
                #expect(answer.message == "Basic authentication failed.")
            }
        }
    }

    @Test("Other spellings lead to the same place")
    func spellings() async throws {
        try await TestAPI.run { api in
            let answer = try await api.call("POST", "/v3/push/schedules/", Self.body(trigger: Self.periodical))
            let id = try #require(answer.json?["schedule_id"]?.string)
            for target in ["/v3/schedules/\(id)/", "/v3//schedules/\(id)", "/v3/push/schedules/\(id)"] {
                #expect(try await api.call("GET", target).json?["schedule_id"] == .string(id))
            }
            #expect(try await api.call("GET", "/v3/push/schedules?page=1").json?["total_count"] == 1)
            #expect(try await api.call("GET", "/v3/push/schedules/\(id)/msg_ids").json?["count"] == 0)
        }
    }

    @Test("Cids are the app's key and a UUID, as many as asked for, all different, and good for push and schedule")
    func cids() async throws {
        try await TestAPI.run { api in
            try await api.addDevice()
            for (query, count) in [
                ("", 1), ("?count=3", 3), ("?count=1000&type=push", 1000), ("?type=schedule", 1), ("?count=", 1),
            ] {
                let answer = try await api.call("GET", "/v3/push/cid\(query)")
                #expect(answer.status == 200)
                #expect(answer.json?.keys == ["cidlist"])
                let list = try #require(answer.json?["cidlist"]?.array)
                let cids = list.compactMap(\.string)
                #expect(Set(cids).count == count)
                #expect(
                    cids.allSatisfy {
                        $0.hasPrefix("\(api.app.key)-") && UUID(uuidString: String($0.dropFirst(25))) != nil
                    }
                )
            }
            for query in ["count=0", "count=1001", "count=x", "count=1.5", "type=batch"] {
                let answer = try await api.call("GET", "/v3/push/cid?\(query)")
                #expect(answer.status == 400)
                #expect(answer.code == 1003)
            }
            #expect(try await api.call("POST", "/v3/push/cid", "{}").code == 1001)
            let list = try await api.call("GET", "/v3/push/cid/?count=2").json?["cidlist"]?.array?.compactMap(\.string)
            let cids = try #require(list)
            let push = hello.dropLast() + ",\"cid\":\"\(cids[0])\"}"
            let first = try await api.call("POST", "/v3/push", String(push))
            #expect(first.status == 200)
            #expect(try await api.call("POST", "/v3/push", String(push)).json == first.json)
            let schedule = Self.body(more: ",\"cid\":\"\(cids[1])\"")
            #expect(try await Self.create(api, schedule) == Self.create(api, schedule))
        }
    }
}
