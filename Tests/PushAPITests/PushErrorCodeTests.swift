import Foundation
import PushAPI
import PushModel
import PushService
import TestSupport
import Testing

/// Every code of the table "Error codes" of the Push API that this server answers, each by a request that has earned it.
///
/// Not answered: 1020 (a proxy in front of the service decides about HTTPS), 1035 (a rule of other channels), 1105, 2003, 2004, 2005 and 2006 (switches of the hosted service's console). 1000 is
/// what APIErrors makes of any failure that is nobody's mistake, and 1030 what it makes of a disk that takes no writes
/// (``DiskTroubleTests``).
@Suite("Error codes of the Push API", .suiteLimit)
struct PushErrorCodeTests {
    private struct Case {
        var status: Int
        var code: Int64
        var method = "POST"
        var target = "/v3/push"
        var body: String? = hello
        var authorization: String?
    }

    private static func push(_ old: String, _ new: String) -> String { hello.replacing(old, with: new) }

    @Test("Each code comes with its status and a sentence")
    func table() async throws {
        try await TestAPI.run(rules: { $0.broadcastsPerDay = 30 }) { api in
            try await api.addDevice()
            try await api.addDevice()
            let paced = Self.push("\"sendno\":18", "\"big_push_duration\":1400")
            for _ in 0..<20 { #expect(try await api.call("POST", "/v3/push", paced).status == 200) }
            let long = String(repeating: "x", count: 4000)
            let table = [
                Case(status: 405, code: 1001, method: "GET", body: nil),
                Case(status: 400, code: 1002, body: ""), Case(status: 400, code: 1002, body: "{}"),
                Case(status: 400, code: 1002, body: Self.push("18}", "18,}")),
                Case(status: 400, code: 1003, body: Self.push("\"all\",\"n", "\"everybody\",\"n")),
                Case(status: 401, code: 1004, authorization: TestAPI.basic("\(api.app.key):x")),
                Case(status: 400, code: 1005, body: Self.push("\"hi\"", "\"\(long)\"")),
                Case(status: 400, code: 1008, authorization: TestAPI.basic("key:x")),
                Case(status: 400, code: 1009, body: Self.push("\"options\"", "\"option\"")),
                Case(status: 400, code: 1011, body: Self.push("\"all\",\"n", "{\"tag\":[\"nobody\"]},\"n")),
                Case(status: 400, code: 1012, body: paced),
                Case(status: 403, code: 2007, target: "/v3/test/model/add"),
                Case(status: 403, code: 2007, target: "/v3/images/byurls"),
            ]
            for item in table {
                let authorization = item.authorization ?? api.authorization
                let answer = try await api.call(item.method, item.target, item.body, authorization: authorization)
                #expect(answer.status == item.status, "\(item): \(answer.text)")
                #expect(answer.code == item.code, "\(item): \(answer.text)")
                #expect(answer.message?.isEmpty == false)
                #expect((answer.json?["msg_id"] != nil) == (item.code == 1011))
            }
            for _ in 0..<10 { #expect(try await api.call("POST", "/v3/push", hello).status == 200) }
            let broadcast = try await api.call("POST", "/v3/push", hello)
            #expect(broadcast.status == 403)
            #expect(broadcast.code == 2008)
            #expect(try await api.call("POST", "/v3/push/validate", hello).status == 200, "It counts for nothing.")
        }
        try await TestAPI.run(callLimits: .all(1)) { api in
            _ = try await api.call("POST", "/v3/push", hello)
            let answer = try await api.call("POST", "/v3/push", hello)
            #expect(answer.status == 429)
            #expect(answer.code == 2002)
        }
    }
}
