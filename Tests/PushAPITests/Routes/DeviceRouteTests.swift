import Foundation
import PushAPI
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Devices, tags and aliases over a socket", .suiteLimit)
struct DeviceRouteTests {
    private func id(_ device: RegisteredDevice, _ api: TestAPI) -> String {
        api.core.registry.registrationID(of: device.id).text
    }

    /// Checks an answer to the letter: its JSON as it is written.
    private func expect(
        _ answer: Answer,
        _ status: Int,
        _ text: String,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.status == status, sourceLocation: location)
        #expect(answer.text == text, sourceLocation: location)
        #expect(answer.headers["content-type"] == "application/json; charset=utf-8", sourceLocation: location)
    }

    @Test("A device has exactly tags, alias and mobile; null stands for none; a change is answered with {}")
    func device() async throws {
        try await TestAPI.run { api in
            let path = "/v3/devices/\(id(try await api.addDevice(), api))"
            expect(try await api.call("GET", path), 200, "{\"tags\":[],\"alias\":null,\"mobile\":null}")
            let body = "{\"tags\":{\"add\":[\"b\",\"中\"]},\"alias\":\"bob\",\"mobile\":\"13012345678\"}"
            expect(try await api.call("POST", path, body), 200, "{}")
            expect(
                try await api.call("GET", path),
                200,
                "{\"tags\":[\"b\",\"中\"],\"alias\":\"bob\",\"mobile\":\"13012345678\"}"
            )
            expect(try await api.call("POST", path, "{}"), 200, "{}")
            expect(try await api.call("POST", path, "{\"tags\":\"\",\"alias\":\"\",\"mobile\":\"\"}"), 200, "{}")
            expect(try await api.call("GET", path), 200, "{\"tags\":[],\"alias\":null,\"mobile\":null}")
        }
    }

    @Test("Online, seen at some time, and unknown: each has its form")
    func status() async throws {
        try await TestAPI.run { api in
            let away = try await api.addDevice()
            await api.clock.advance(by: .seconds(86_400))
            let seen = try await api.addDevice()
            await api.clock.advance(by: .seconds(86_400 + 5))
            let now = try await api.addDevice()
            let ids = [away, seen, now].map { id($0, api) }
            let body = "{\"registration_ids\":[\"\(ids.joined(separator: "\",\""))\",\"0123456789abcdef\",\"中\"]}"
            let answer = try await api.call("POST", "/v3/devices/status/", body)
            let day = api.clock.date.addingTimeInterval(-86_400 - 5 + 8 * 3600)
            let time = day.formatted(
                Date.ISO8601FormatStyle(dateSeparator: .dash, dateTimeSeparator: .space, timeSeparator: .colon).year()
                    .month().day().time(includingFractionalSeconds: false)
            )
            expect(
                answer,
                200,
                """
                {"\(ids[0])":{"online":false},"\(ids[1])":{"online":false,"last_online_time":"\(time)"},\
                "\(ids[2])":{"online":true}}
                """
            )
            for bad in ["", "{}", "{\"registration_ids\":\"x\"}"] {
                #expect(try await api.call("POST", "/v3/devices/status", bad).code == 7002)
            }
        }
    }

    @Test("An alias is read in both forms, unbound from some and from all, by platform")
    func alias() async throws {
        try await TestAPI.run { api in
            let devices = [try await api.addDevice(), try await api.addDevice()]
            let ids = devices.map { id($0, api) }
            for id in ids { expect(try await api.call("POST", "/v3/devices/\(id)", "{\"alias\":\"bob\"}"), 200, "{}") }
            let both = "{\"registration_ids\":[\"\(ids[0])\",\"\(ids[1])\"]}"
            let none = "{\"registration_ids\":[]}"
            expect(try await api.call("GET", "/v3/aliases/bob"), 200, both)
            expect(try await api.call("GET", "/v3/aliases/bob?platform=android%2Cios"), 200, both)
            expect(try await api.call("GET", "/v3/aliases/bob?platform=android"), 200, none)
            expect(try await api.call("GET", "/v3/aliases/nobody"), 200, none)
            let day = api.clock.date.addingTimeInterval(8 * 3600).formatted(.iso8601.year().month().day())
            func entry(_ id: String) -> String {
                "{\"registration_id\":\"\(id)\",\"platform\":\"ios\",\"last_online_date\":\"\(day)\"}"
            }
            for target in ["/v3/aliases/bob?new_format=true", "/v3/aliases/bob&new_format=true"] {
                expect(try await api.call("GET", target), 200, "{\"data\":[\(entry(ids[0])),\(entry(ids[1]))]}")
            }
            expect(try await api.call("GET", "/v3/aliases/nobody?new_format=true"), 200, "{\"data\":[]}")
            let unbind = "{\"registration_ids\":{\"remove\":[\"\(ids[0])\"]}}"
            expect(try await api.call("POST", "/v3/aliases/bob", unbind), 200, "{}")
            expect(try await api.call("GET", "/v3/aliases/bob"), 200, "{\"registration_ids\":[\"\(ids[1])\"]}")
            expect(try await api.call("DELETE", "/v3/aliases/bob?platform=android"), 200, "{}")
            expect(try await api.call("GET", "/v3/aliases/bob"), 200, "{\"registration_ids\":[\"\(ids[1])\"]}")
            expect(try await api.call("DELETE", "/v3/aliases/bob"), 200, "{}")
            expect(try await api.call("DELETE", "/v3/aliases/bob"), 200, "{}")
            expect(try await api.call("GET", "/v3/aliases/bob"), 200, none)
        }
    }

    @Test("Tags are listed, asked for, given, taken and deleted")
    func tags() async throws {
        try await TestAPI.run { api in
            let ids = [id(try await api.addDevice(), api), id(try await api.addDevice(), api)]
            expect(try await api.call("GET", "/v3/tags/"), 200, "{\"tags\":[]}")
            let add = "{\"registration_ids\":{\"add\":[\"\(ids[0])\",\"\(ids[1])\"],\"remove\":[]}}"
            expect(try await api.call("POST", "/v3/tags/vip", add), 200, "{}")
            expect(try await api.call("GET", "/v3/tags"), 200, "{\"tags\":[\"vip\"]}")
            expect(try await api.call("GET", "/v3/tags/vip/registration_ids/\(ids[0])"), 200, "{\"result\":true}")
            let remove = "{\"registration_ids\":{\"remove\":[\"\(ids[0])\"]}}"
            expect(try await api.call("POST", "/v3/tags/vip/", remove), 200, "{}")
            expect(try await api.call("GET", "/v3/tags/vip/registration_ids/\(ids[0])"), 200, "{\"result\":false}")
            expect(try await api.call("GET", "/v3/tags/none/registration_ids/\(ids[0])"), 200, "{\"result\":false}")
            expect(try await api.call("DELETE", "/v3/tags/vip/?platform=android"), 200, "{}")
            expect(try await api.call("GET", "/v3/tags/vip/registration_ids/\(ids[1])"), 200, "{\"result\":true}")
            expect(try await api.call("DELETE", "/v3/tags/vip/?platform=ios,android"), 200, "{}")
            expect(try await api.call("DELETE", "/v3/tags/vip"), 200, "{}")
            expect(try await api.call("GET", "/v3/tags"), 200, "{\"tags\":[]}")
            expect(
                try await api.call("GET", "/v3/devices/\(ids[1])"),
                200,
                "{\"tags\":[],\"alias\":null,\"mobile\":null}"
            )
        }
    }

    @Test("Tags and aliases stand in a path encoded or as they are, and a plus is a plus")
    func spelling() async throws {
        try await TestAPI.run { api in
            let id = id(try await api.addDevice(), api)
            let names = ["中文", "a+b", "a&b=c", "#!$@*.|￥", "A_1"]
            for name in names {
                let json = JSONValue.object(["tags": ["add": .array([.string(name)])], "alias": .string(name)]).text
                expect(try await api.call("POST", "/v3/devices/\(id)", json), 200, "{}")
                let encoded = try #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                // A '#' would begin a fragment.
                let raw = name.replacing("#", with: "%23")
                for spelling in [encoded, raw] {
                    let found = "{\"registration_ids\":[\"\(id)\"]}"
                    expect(try await api.call("GET", "/v3/aliases/\(spelling)"), 200, found)
                    let member = "/v3/tags/\(spelling)/registration_ids/\(id)"
                    expect(try await api.call("GET", member), 200, "{\"result\":true}")
                }
                expect(try await api.call("DELETE", "/v3/tags/\(raw)"), 200, "{}")
            }
            expect(try await api.call("GET", "/v3/tags"), 200, "{\"tags\":[]}")
            #expect(try await api.call("GET", "/v3/aliases/%ff").code == 7002)
        }
    }

    @Test("A path in plain UTF-8 may come in pieces, on a connection in use, and bodies stay as they are")
    func rawTargets() async throws {
        try await TestAPI.run { api in
            let id = id(try await api.addDevice(), api)
            try await RawConnection.open(api.port) { connection in
                for alias in ["中", "文￥"] {
                    let change = api.request("POST", "/v3/devices/\(id)", "{\"alias\":\n\"\(alias)\"}")
                    // The body in a read of its own.
                    try await connection.send(String(change.prefix(change.count - 5)))
                    try await connection.send(String(change.suffix(5)))
                    #expect(try await connection.answer().text == "{}")
                    let question = api.request("GET", "/v3/aliases/\(alias)", headers: "X-Note: 中")
                    try await connection.send("\r\n" + question.prefix(18))
                    try await connection.send(String(question.dropFirst(18)))
                    #expect(try await connection.answer().text == "{\"registration_ids\":[\"\(id)\"]}")
                }
            }
        }
    }

    @Test("The paths of the zone of Beijing, doubled and trailing slashes lead to the same places")
    func paths() async throws {
        try await TestAPI.run { api in
            let id = id(try await api.addDevice(), api)
            let body = "{\"tags\":{\"add\":[\"t\"]},\"alias\":\"bob\"}"
            expect(try await api.call("POST", "/v3/device/\(id)", body), 200, "{}")
            let device = "{\"tags\":[\"t\"],\"alias\":\"bob\",\"mobile\":null}"
            let status = "{\"registration_ids\":[\"\(id)\"]}"
            let table: [(String, String, String?, String)] = [
                ("GET", "/v3/device/\(id)", nil, device), ("GET", "/v3//devices/\(id)/", nil, device),
                ("GET", "//v3/device//\(id)?x=1", nil, device),
                ("POST", "/v3/device/status", status, "{\"\(id)\":{\"online\":true}}"),
                ("POST", "/v3/devices/status/", status, "{\"\(id)\":{\"online\":true}}"),
                ("GET", "/v3/device/tags/", nil, "{\"tags\":[\"t\"]}"), ("GET", "/v3//tags", nil, "{\"tags\":[\"t\"]}"),
                ("GET", "/v3/device/tags/t/registration_ids/\(id)", nil, "{\"result\":true}"),
                ("GET", "/v3/device/aliases/bob/?platform=", nil, status),
                ("GET", "/v3/aliases/bob?platform=ios&new_format=false", nil, status),
                ("DELETE", "/v3/device/aliases/bob", nil, "{}"), ("DELETE", "/v3/device/tags/t/", nil, "{}"),
                ("GET", "/v3/devices/\(id)", nil, "{\"tags\":[],\"alias\":null,\"mobile\":null}"),
            ]
            for (method, target, body, text) in table {
                let answer = try await api.call(method, target, body)
                #expect(answer.status == 200, "\(method) \(target)")
                #expect(answer.text == text, "\(method) \(target)")
            }
        }
    }

    @Test("Each error of the family has its status and code, and illegal_rids where ids are to blame")
    func errors() async throws {
        try await TestAPI.run { api in
            let ids = [id(try await api.addDevice(), api), id(try await api.addDevice(), api)]
            let unknown = "0123456789abcdef"
            func list(_ ids: String...) -> String { "[\(ids.map { "\"\($0)\"" }.joined(separator: ","))]" }
            let table: [(String, String, String?, Int, Int64)] = [
                ("GET", "/v3/devices/\(unknown)", nil, 400, 7002), ("GET", "/v3/devices/a-b", nil, 400, 7002),
                ("POST", "/v3/devices/\(unknown)", "{}", 400, 7002), ("POST", "/v3/devices/\(ids[0])", "", 400, 7002),
                ("POST", "/v3/devices/\(ids[0])", "{\"alias\":\"a b\"}", 400, 7002),
                ("POST", "/v3/devices/\(ids[0])", "{\"mobile\":\"x\"}", 400, 7002),
                ("GET", "/v3/aliases/bob?platform=palm", nil, 400, 7002),
                ("DELETE", "/v3/tags/vip?platform=palm", nil, 400, 7002),
                ("POST", "/v3/aliases/bob", "{\"registration_ids\":{}}", 400, 7002),
                ("POST", "/v3/tags/vip", "{\"registration_ids\":{\"add\":[],\"remove\":[]}}", 400, 7002),
                ("POST", "/v3/tags/vip", "{}", 400, 7002),
                ("POST", "/v3/tags/a%20b", "{\"registration_ids\":{\"add\":\(list(ids[0]))}}", 400, 7002),
                ("GET", "/v3/tags/vip/registration_ids/\(unknown)", nil, 400, 7002),
                ("PUT", "/v3/devices/\(ids[0])", "{}", 405, 7002), ("GET", "/v3/devices/status", nil, 405, 7002),
                ("POST", "/v3/tags", "{}", 405, 7002), ("GET", "/v3/tags/vip", nil, 405, 7002),
                ("PUT", "/v3/aliases/bob", "{}", 405, 7002), ("GET", "/v3/devices", nil, 404, 1003),
            ]
            for (method, target, body, status, code) in table {
                let answer = try await api.call(method, target, body)
                #expect(answer.status == status, "\(method) \(target): \(answer.text)")
                #expect(answer.code == code, "\(method) \(target): \(answer.text)")
                #expect(answer.message?.isEmpty == false)
            }
            func illegal(_ target: String, _ body: String) async throws -> (Int64?, JSONValue?) {
                let answer = try await api.call("POST", target, body)
                #expect(answer.status == 400)
                return (answer.code, answer.json?["error"]?.object?["illegal_rids"])
            }
            let add = "{\"registration_ids\":{\"add\":\(list(ids[0], unknown))}}"
            #expect(try await illegal("/v3/tags/vip", add) == (7013, .array([.string(unknown)])))
            let bad = "{\"registration_ids\":{\"remove\":\(list(unknown))}}"
            #expect(try await illegal("/v3/aliases/bob", bad) == (7002, .array([.string(unknown)])))
            for _ in 0..<10 {
                let path = "/v3/devices/\(id(try await api.addDevice(), api))"
                expect(try await api.call("POST", path, "{\"alias\":\"full\"}"), 200, "{}")
            }
            let full = try await api.call(
                "POST",
                "/v3/devices/\(ids[0])",
                "{\"alias\":\"full\",\"tags\":{\"add\":[\"t\"]}}"
            )
            #expect(full.status == 400)
            #expect(full.code == 7015)
            expect(
                try await api.call("GET", "/v3/devices/\(ids[0])"),
                200,
                "{\"tags\":[],\"alias\":null,\"mobile\":null}"
            )
        }
    }

    @Test("A caller that cannot authenticate gets the codes of the family")
    func authentication() async throws {
        try await TestAPI.run { api in
            let key = api.app.key.text
            let unknown = String(repeating: "0", count: 24)
            let device: [(String?, Int, Int64)] = [
                (nil, 401, 7001), ("", 401, 7001), ("Bearer x", 401, 7001), ("Basic !!!", 401, 7001),
                (TestAPI.basic(key), 401, 7001), (TestAPI.basic("\(key):x"), 401, 7004),
                (TestAPI.basic("\(unknown):x"), 400, 7008), (TestAPI.basic("short:x"), 400, 7008),
            ]
            for (authorization, status, code) in device {
                for target in ["/v3/devices/0f", "/v3/tags/", "/v3/aliases/bob", "/v3/device/tags/"] {
                    let answer = try await api.call("GET", target, authorization: .some(authorization))
                    #expect(answer.status == status, "\(authorization ?? "none")")
                    #expect(answer.code == code, "\(authorization ?? "none")")
                }
            }
            let others: [(String, Int64)] = [("/v3/received", 3001), ("/v3/schedules", 8101), ("/v3/files", 1004)]
            for (target, code) in others {
                for authorization in [nil, TestAPI.basic("\(key):x"), TestAPI.basic("\(unknown):x")] {
                    let answer = try await api.call("GET", target, authorization: .some(authorization))
                    #expect(answer.status == 401)
                    #expect(answer.code == code)
                }
            }
        }
    }

    @Test("Each family has its own window; who has the wrong secret sees it and uses nothing of it")
    func limits() async throws {
        var limits = CallLimits.jpush
        let shipped: [Int] = [limits.push, limits.device, limits.report, limits.schedule, limits.file]
        #expect(shipped == [600, 600, 2400, 100, 20])
        limits.device = 2
        try await TestAPI.run(callLimits: limits) { api in
            let wrong = TestAPI.basic("\(api.app.key):x")
            for _ in 0..<3 {
                let answer = try await api.call("GET", "/v3/tags", authorization: .some(wrong))
                #expect(answer.status == 401)
                #expect(answer.headers["x-rate-limit-limit"] == "2")
                #expect(answer.headers["x-rate-limit-remaining"] == "2")
                #expect(answer.headers["x-rate-limit-reset"] == "60")
            }
            for remaining in ["1", "0"] {
                let answer = try await api.call("GET", "/v3/tags")
                #expect(answer.headers["x-rate-limit-quota"] == "2")
                #expect(answer.headers["x-rate-limit-remaining"] == remaining)
            }
            let refused = try await api.call("GET", "/v3/aliases/bob")
            #expect(refused.status == 429)
            #expect(refused.code == 2002)
            #expect(refused.headers["x-rate-limit-remaining"] == "0")
            let schedules = try await api.call("GET", "/v3/schedules")
            #expect(schedules.status == 200)
            #expect(schedules.headers["x-rate-limit-remaining"] == "99")
            let unknown = try await api.call("GET", "/v3/tags", authorization: .some(nil))
            #expect(unknown.headers["x-rate-limit-limit"] == nil)
        }
    }

    @Test("An audience follows what the calls changed")
    func audience() async throws {
        try await TestAPI.run { api in
            let id = id(try await api.addDevice(), api)
            let push = hello.replacing(
                "\"audience\":\"all\"",
                with: "\"audience\":{\"tag\":[\"vip\"],\"alias\":[\"bob\"]}"
            )
            #expect(try await api.call("POST", "/v3/push", push).code == 1011)
            let body = "{\"tags\":{\"add\":[\"vip\"]},\"alias\":\"bob\"}"
            expect(try await api.call("POST", "/v3/devices/\(id)", body), 200, "{}")
            #expect(try await api.call("POST", "/v3/push", push).status == 200)
            expect(try await api.call("DELETE", "/v3/tags/vip"), 200, "{}")
            #expect(try await api.call("POST", "/v3/push", push).code == 1011)
        }
    }
}
