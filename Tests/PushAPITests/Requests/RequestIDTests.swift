import Foundation
import GRDB
import InMemoryTracing
import Logging
import PushModel
import PushService
import TestSupport
import Testing
import Tracing

@testable import PushStoreSQLite

/// A request's id goes from the caller to the journey, whichever way the push takes.
@Suite("Request ids", .suiteLimit)
struct RequestIDTests {
    private static func push(to device: RegistrationID, _ more: String = "") -> String {
        """
        {"platform":["ios"],"audience":{"registration_id":["\(device)"]},"notification":{"alert":"hi"}\(more)}
        """
    }

    private static func device(of api: TestAPI) async throws -> RegistrationID {
        api.core.registry.registrationID(of: try await api.addDevice().id)
    }

    /// Sends a request with header fields.
    private static func call(_ api: TestAPI, _ target: String, _ body: String, _ field: String) async throws -> Answer {
        try await RawConnection.open(api.port) { connection in
            try await connection.send(api.request("POST", target, body, headers: field))
            return try await connection.answer()
        }
    }

    private static func requestID(_ api: TestAPI, _ push: Answer, _ device: RegistrationID) async throws -> JSONValue? {
        let id = try #require(push.json?["msg_id"]?.string)
        return try await api.call("GET", "/posthorn/v1/journeys/\(id)/\(device)").json?["request_id"]
    }

    @Test(
        "The caller's id, or a new one, is in the response and in the journey, also of a push that is answered at once"
    )
    func journey() async throws {
        try await TestAPI.run { api in
            let device = try await Self.device(of: api)
            var seen: Set<String> = []
            // The first push of a caller takes the ordinary path, the others are answered at once.
            for _ in 0..<3 {
                let answer = try await api.call("POST", "/v3/push", Self.push(to: device))
                let id = try #require(answer.headers["x-request-id"])
                #expect(try await Self.requestID(api, answer, device) == .string(id))
                seen.insert(id)
            }
            #expect(seen.count == 3)
            for id in ["a", "Root=1-67891233-abcdef012345678912345678", String(repeating: "x", count: 128)] {
                for more in ["", ",\"options\":{\"big_push_duration\":1}"] {
                    let answer = try await Self.call(
                        api,
                        "/v3/push",
                        Self.push(to: device, more),
                        "X-Request-Id: \(id)"
                    )
                    #expect(answer.headers["x-request-id"] == id)
                    #expect(try await Self.requestID(api, answer, device) == .string(id))
                }
            }
        }
    }

    @Test(
        "An id that cannot stand in a log or a header is replaced, and the request is answered",
        arguments: ["", "two words", "a\"b", "ä", String(repeating: "x", count: 129), "a\r\nX-Request-Id: b"]
    )
    func unusable(_ id: String) async throws {
        try await TestAPI.run { api in
            let device = try await Self.device(of: api)
            for _ in 0..<2 {
                let answer = try await Self.call(api, "/v3/push", Self.push(to: device), "X-Request-Id: \(id)")
                #expect(answer.status == 200)
                let given = try #require(answer.headers["x-request-id"])
                #expect(given.wholeMatch(of: /[0-9a-f]{12}-[0-9a-f]+/) != nil)
                #expect(try await Self.requestID(api, answer, device) == .string(given))
            }
        }
    }

    @Test("All pushes of a batch have the id of its request")
    func batch() async throws {
        try await TestAPI.run { api in
            let devices = [try await Self.device(of: api), try await Self.device(of: api)]
            let path = "/v3/push/batch/regid/single"
            for round in 0..<2 {
                let entries = devices.map {
                    """
                    "\(api.app.key.makeCID())":{"platform":"all","target":"\($0)","notification":{"alert":"hi"}}
                    """
                }
                let body = "{\"pushlist\":{\(entries.joined(separator: ","))}}"
                let answer = try await Self.call(api, path, body, "X-Request-Id: batch-\(round)")
                #expect(answer.headers["x-request-id"] == "batch-\(round)")
                let ids = try #require(answer.json?.members.compactMap { $0.value.object?["msg_id"]?.string })
                try #require(ids.count == 2)
                for (id, device) in zip(ids, devices) {
                    let journey = try await api.call("GET", "/posthorn/v1/journeys/\(id)/\(device)")
                    #expect(journey.json?["request_id"] == .string("batch-\(round)"))
                }
            }
        }
    }

    /// Damages each push when it is stored.
    private static func damagePushes(_ api: TestAPI) async throws {
        let store = try #require(api.core.store as? SQLiteStore)
        try await store.database.write { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER damage AFTER INSERT ON message BEGIN
                        UPDATE message SET body = x'7b' WHERE id = NEW.id;
                    END
                    """
            )
        }
    }

    @Test("A log entry has the ids of the push and of its request: when it is accepted, and when it cannot be read")
    func logged() async throws {
        let log = MemoryLog()
        try await TestAPI.run(log: log) { api in
            let device = try await Self.device(of: api)
            func entry(_ message: String, _ answer: Answer) throws -> MemoryLog.Entry? {
                let id = try #require(answer.json?["msg_id"]?.string)
                return log.entries.first { $0.message == message && $0.metadata["push.id"] == id }
            }
            // The first push of a caller takes the ordinary path, the second is answered at once.
            for number in 1...2 {
                let field = "X-Request-Id: logged-\(number)"
                let answer = try await Self.call(api, "/v3/push", Self.push(to: device), field)
                let accepted = try #require(try entry("A push was accepted", answer))
                #expect(accepted.level == .debug)
                #expect(accepted.metadata["request.id"] == "logged-\(number)")
            }
            try await Self.damagePushes(api)
            let answer = try await Self.call(api, "/v3/push", Self.push(to: device), "X-Request-Id: damaged")
            try await eventually("the push is found to be damaged") {
                try entry("A stored message cannot be read", answer)?.metadata["request.id"] == "damaged"
            }
        }
    }

    @Test("Every push of a batch has a log entry with the id of the request")
    func loggedBatch() async throws {
        let log = MemoryLog()
        try await TestAPI.run(log: log) { api in
            let devices = [try await Self.device(of: api), try await Self.device(of: api)]
            let entries = devices.map {
                """
                "\(api.app.key.makeCID())":{"platform":"all","target":"\($0)","notification":{"alert":"hi"}}
                """
            }
            let body = "{\"pushlist\":{\(entries.joined(separator: ","))}}"
            let answer = try await Self.call(api, "/v3/push/batch/regid/single", body, "X-Request-Id: batch")
            let ids = try #require(answer.json?.members.compactMap { $0.value.object?["msg_id"]?.string })
            let accepted = log.entries.filter { $0.message == "A push was accepted" }
            #expect(accepted.map { $0.metadata["push.id"] } == ids)
            #expect(accepted.allSatisfy { $0.metadata["request.id"] == "batch" })
        }
    }

    @Test("Refusals have an id too")
    func refusals() async throws {
        try await TestAPI.run { api in
            let refused = try await Self.call(api, "/v3/push", "{", "X-Request-Id: refused-1")
            #expect(refused.status == 400)
            #expect(refused.headers["x-request-id"] == "refused-1")
            let unknown = try await api.call("GET", "/nowhere", authorization: .some(nil))
            #expect(unknown.status == 404)
            #expect(unknown.headers["x-request-id"] != nil)
        }
    }

    @Test("With a tracing backend, the request is a span, and the dispatch of its push and APNs are spans within it")
    func spans() async throws {
        let tracer = InMemoryTracer()
        try await withTracer(tracer) {
            try await TestAPI.run { api in
                let device = try await Self.device(of: api)
                for number in 1...2 {
                    let answer = try await Self.call(
                        api,
                        "/v3/push",
                        Self.push(to: device),
                        "X-Request-Id: traced-\(number)"
                    )
                    #expect(answer.status == 200)
                    let id = try #require(answer.json?["msg_id"]?.string)
                    try await eventually("the push is sent and its spans have ended") {
                        tracer.finishedSpans.count { $0.operationName == "dispatch" } == number
                    }
                    let spans = tracer.finishedSpans
                    let dispatch = try #require(spans.first { $0.attributes.get("push.id") == .string(id) })
                    #expect(dispatch.attributes.get("push.request.id") == .string("traced-\(number)"))
                    #expect(dispatch.attributes.get("push.sent") == .int64(1))
                    #expect(dispatch.attributes.get("push.waiting") == .int64(0))
                    #expect(dispatch.kind == .consumer)
                    let request = try #require(spans.first { $0.spanID == dispatch.parentSpanID })
                    #expect(request.operationName == "/v3/push")
                    #expect(request.kind == .server)
                    #expect(request.traceID == dispatch.traceID)
                    let apns = try #require(spans.first { $0.parentSpanID == dispatch.spanID })
                    #expect(apns.operationName == "apns")
                    #expect(apns.kind == .client)
                    #expect(apns.attributes.get("apns.pushes") == .int64(1))
                }
            }
        }
    }
}
