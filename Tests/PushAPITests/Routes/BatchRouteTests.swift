import Foundation
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Batches over a socket", .suiteLimit)
struct BatchRouteTests {
    private static func entry(_ target: String, _ more: String = "\"notification\":{\"alert\":\"hi\"}") -> String {
        "{\"platform\":\"all\",\"target\":\"\(target)\",\(more)}"
    }

    private static func body(_ entries: [(String, String)]) -> String {
        "{\"pushlist\":{\(entries.map { "\"\($0)\":\($1)" }.joined(separator: ","))}}"
    }

    private func cid(_ api: TestAPI) -> String { "\(api.app.key)-\(UUID().uuidString)" }

    @Test("Answers are keyed by cid: a msg_id, an error, or both")
    func answers() async throws {
        try await TestAPI.run { api in
            let device = try await api.addDevice()
            let id = api.core.registry.registrationID(of: device.id).text
            let cids = (0..<4).map { _ in cid(api) }
            let body = Self.body([
                (cids[0], Self.entry(id)), (cids[1], Self.entry("0f")),
                (cids[2], Self.entry(id, "\"notification\":{\"alert\":\"hi\",\"what\":1}")),
                (cids[3], Self.entry("a b")),
            ])
            let answer = try await api.call("POST", "/v3/push/batch/regid/single/", body)
            #expect(answer.status == 200)
            #expect(answer.json?.keys == cids)
            let results = try cids.map { try #require(answer.json?[$0]?.object) }
            #expect(results[0].keys == ["msg_id"])
            #expect(results[0]["msg_id"]?.string.flatMap { MessageID($0) } != nil)
            #expect(results[1].keys == ["msg_id", "error"])
            #expect(results[1]["error"]?.object?["code"] == 1011)
            #expect(results[2].keys == ["error"])
            #expect(results[2]["error"]?.object?["code"] == 1009)
            #expect(results[3]["error"]?.object?["code"] == 1003)
            #expect(results[3]["error"]?.object?["illegal_rids"] == ["a b"])
            #expect(answer.headers["x-rate-limit-remaining"] == "59999", "A batch is one call.")
            let repeated = try await api.call("POST", "/v3/push/batch/regid/single", body)
            #expect(repeated.json?[cids[0]] == answer.json?[cids[0]])
        }
    }

    @Test("Aliases have a resource of their own")
    func aliases() async throws {
        try await TestAPI.run { api in
            let device = try await api.addDevice()
            let changed = try await api.core.store.updateDevices([device.id.ordinal], of: api.app.id, keepingTags: []) {
                $0.alias = "bob"
            }
            api.core.registry.apply(changed)
            let cid = cid(api)
            let body = Self.body([(cid, Self.entry("bob"))])
            let answer = try await api.call("POST", "/v3/push/batch/alias/single", body)
            #expect(answer.json?[cid]?.object?.keys == ["msg_id"])
            let byID = try await api.call(
                "POST",
                "/v3/push/batch/regid/single",
                Self.body([(self.cid(api), Self.entry("bob"))])
            )
            #expect(byID.status == 200)
        }
    }

    @Test("A batch that fails as a whole has the error body of all others", arguments: ["regid", "alias"])
    func errors(_ kind: String) async throws {
        try await TestAPI.run { api in
            let path = "/v3/push/batch/\(kind)/single"
            let large = Self.body((0..<1001).map { ("\($0)", "{}") })
            let table: [(String, String, String?, Int, Int64)] = [
                ("POST", path, "", 400, 1002), ("POST", path, "[]", 400, 1002), ("POST", path, "{}", 400, 1002),
                ("POST", path, "{\"pushlist\":{}}", 400, 1003), ("POST", path, "{\"pushlist\":1}", 400, 1003),
                ("POST", path, large, 400, 1003), ("GET", path, nil, 405, 1001), ("PUT", path, "{}", 405, 1001),
            ]
            for (method, target, body, status, code) in table {
                let answer = try await api.call(method, target, body)
                #expect(answer.status == status, "\(method): \(answer.text)")
                #expect(answer.code == code, "\(method): \(answer.text)")
            }
            let stranger = try await api.call("POST", path, "{}", authorization: .some(nil))
            #expect(stranger.status == 401)
            #expect(stranger.code == 1004)
        }
    }
}

@Suite("Withdrawal and quota over a socket", .suiteLimit)
struct WithdrawalRouteTests {
    @Test("A push of the app is withdrawn, a second time too; others are 1003")
    func withdrawal() async throws {
        try await TestAPI.run { api in
            let device = try await api.addDevice()
            let paced = hello.replacing("\"sendno\":18", with: "\"big_push_duration\":1400")
            try await api.addDevice()
            let id = try #require(try await api.call("POST", "/v3/push", paced).json?["msg_id"]?.string)
            for _ in 0..<2 {
                let answer = try await api.call("DELETE", "/v3/push/\(id)/")
                #expect(answer.status == 200)
                #expect(answer.text.hasSuffix("{}"))
            }
            let second = DeviceID(app: api.app.id, ordinal: device.id.ordinal + 1)
            let registrationID = api.core.registry.registrationID(of: second)
            let journey = try await api.call("GET", "/posthorn/v1/journeys/\(id)/\(registrationID)")
            #expect(journey.json?["verdict"]?.object?["state"] == "withdrawn")
            for unknown in ["17", "x", "\(id)0"] {
                let answer = try await api.call("DELETE", "/v3/push/\(unknown)")
                #expect(answer.status == 400)
                #expect(answer.code == 1003)
                #expect(answer.message?.contains(unknown) == true)
            }
            #expect(try await api.call("GET", "/v3/push/\(id)").code == 1001)
            #expect(try await api.call("DELETE", "/v3/push/\(id)", authorization: .some(nil)).code == 1004)
        }
    }

    @Test("Quotas of other vendors are null")
    func quota() async throws {
        try await TestAPI.run { api in
            let answer = try await api.call("GET", "/v3/push/quota")
            #expect(answer.status == 200)
            #expect(answer.json?.keys == ["code", "message", "data"])
            #expect(answer.json?["code"] == 0)
            let data = try #require(answer.json?["data"]?.object)
            #expect(data.keys == ["xiaomi_quota", "oppo_quota", "vivo_quota"])
            #expect(data.members.allSatisfy { $0.value == .null })
            #expect(try await api.call("POST", "/v3/push/quota", "{}").code == 1001)
        }
    }
}
