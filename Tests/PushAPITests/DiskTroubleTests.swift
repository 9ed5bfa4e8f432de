import Foundation
import GRDB
import PushModel
import PushService
import TestSupport
import Testing

@testable import PushStoreSQLite

@Suite("Answers to callers while the disk takes no writes", .suiteLimit)
struct DiskTroubleTests {
    private static func setReadOnly(_ isReadOnly: Bool, _ api: TestAPI) async throws {
        let store = try #require(api.core.store as? SQLiteStore)
        try await store.database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA query_only = \(isReadOnly ? 1 : 0)")
        }
    }

    @Test("Each family has its code of 503 with Retry-After, and reading goes on")
    func families() async throws {
        let log = MemoryLog()
        try await TestAPI.run(log: log) { api in
            let device = try await api.addDevice()
            let id = api.core.registry.registrationID(of: device.id).text
            // For the other environment: the dispatcher, which would wait for the disk, has nothing to send.
            let all = hello.replacing("\"sendno\":18", with: "\"apns_production\":false")
            let named = all.replacing("\"all\",\"n", with: "{\"registration_id\":[\"\(id)\"]},\"n")
            #expect(named != all && all != hello)
            // From here on the caller is known and takes the short way.
            #expect(try await api.call("POST", "/v3/push", named).status == 200)
            let schedule = """
                {"name":"a","enabled":true,"trigger":{"single":{"time":"2026-06-01 12:00:00"}},"push":\(hello)}
                """
            let calls: [(method: String, path: String, body: String, code: Int64)] = [
                ("POST", "/v3/push", named, 1030), ("POST", "/v3/push", all, 1030),
                ("POST", "/v3/devices/\(id)", "{\"alias\":\"bob\"}", 7030), ("POST", "/v3/schedules", schedule, 8203),
            ]
            try await Self.setReadOnly(true, api)
            for call in calls {
                let answer = try await api.call(call.method, call.path, call.body)
                #expect(answer.status == 503, "\(call.path): \(answer.text)")
                #expect(answer.code == call.code)
                #expect(answer.headers["retry-after"] == "10")
                #expect(answer.message?.contains("read-only") == true)
                #expect(answer.headers["x-rate-limit-remaining"] != nil)
                let name = try #require(answer.headers["x-request-id"])
                let logged = log.entries.filter { $0.metadata["request.id"] == name }
                #expect(logged.contains { $0.message == "A request was refused" }, "\(call.path)")
            }
            let operation = try await api.call(
                "POST",
                "/posthorn/v1/operator/app.create",
                "{\"name\":\"a\",\"bundle_id\":\"com.example.a\"}",
                authorization: "Bearer \(TestAPI.operatorToken)"
            )
            #expect(operation.status == 503, "\(operation.text)")
            #expect(operation.headers["retry-after"] == "10")
            #expect(operation.json?["error"]?.object?["code"] == "busy")
            let ready = try await api.call("GET", "/ready", authorization: .some(nil))
            #expect(ready.status == 503)
            #expect(ready.json?["store"]?.string?.contains("read-only") == true)
            #expect(try await api.call("GET", "/health").status == 200)
            #expect(try await api.call("GET", "/v3/devices/\(id)").status == 200)
            try await Self.setReadOnly(false, api)
            for call in calls {
                #expect(try await api.call(call.method, call.path, call.body).status == 200, "\(call.path)")
            }
        }
    }
}
