import AsyncHTTPClient
import Backend
import Foundation
import PosthornFixtures
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A backend that pushes with AsyncHTTPClient", .timeLimit(.minutes(5)))
struct BackendTests {
    private func withBackend(
        of apns: APNs,
        tokens: Set<String>,
        _ body: @Sendable (Backend) async throws -> Void
    ) async throws {
        let backend = Backend(
            url: "https://localhost:\(apns.port)",
            ca: apns.ca,
            topic: apns.topic,
            authorization: try #require(apns.authorization),
            tokens: tokens
        )
        do { try await body(backend) } catch {
            try await backend.shutdown()
            throw error
        }
        try await backend.shutdown()
    }

    @Test("A push arrives")
    func arrives() async throws {
        try await withAPNs { apns in
            let token = try await apns.token()
            try await withBackend(of: apns, tokens: [token]) { backend in
                let answers = try await backend.notify("Lunch is ready")
                #expect(answers == [token: "200"])
            }
            let push = try #require(try await apns.wait(PushConditions(token: token)).first)
            #expect(push.payload == Data(#"{"aps":{"alert":"Lunch is ready"}}"#.utf8))
            #expect(push.headers["apns-topic"] == apns.topic)
        }
    }

    @Test("A dead token is forgotten")
    func dead() async throws {
        try await withAPNs { apns in
            let (alive, dead) = (try await apns.token(), try await apns.token())
            try await apns.unregister(dead)
            try await withBackend(of: apns, tokens: [alive, dead]) { backend in
                let answers = try await backend.notify("Lunch is ready")
                #expect(answers == [alive: "200", dead: "410 Unregistered"])
                #expect(await backend.tokens == [alive])
            }
        }
    }

    @Test("A revoked key is noticed, and its successor is a key like any other")
    func keys() async throws {
        try await withAPNs { apns in
            let keys = try #require(apns.keys)
            #expect(keys.related.teamID == apns.teamID)
            #expect(keys.secondTeam.teamID != apns.teamID)
            let next = try await apns.makeKey(environments: ["production"], topics: [apns.topic])
            let p8 = try String(contentsOfFile: next.file, encoding: .utf8)
            #expect(p8.hasPrefix("-----BEGIN PRIVATE KEY-----"))
            try await apns.revokeKey(SigningKey(file: apns.keyFile, id: apns.keyID, teamID: apns.teamID))
            let token = try await apns.token()
            try await withBackend(of: apns, tokens: [token]) { backend in
                #expect(try await backend.notify("Lunch is ready") == [token: "403 Forbidden"])
            }
        }
    }

    @Test("An unavailable service is tried again, and a late answer is not waited for")
    func faults() async throws {
        try await withAPNs { apns in
            let token = try await apns.token()
            try await withBackend(of: apns, tokens: [token]) { backend in
                try await apns.failNext(503, count: 2)
                #expect(try await backend.notify("Lunch is ready") == [token: "200"])
                #expect(try await apns.wait(count: 3).map(\.status) == [503, 503, 200])
                let fault = try await apns.delay(30, count: 1)
                await #expect(throws: HTTPClientError.self) {
                    try await backend.notify("Lunch is ready", limit: .milliseconds(200))
                }
                #expect(try await apns.times(fault) == 1)
            }
        }
    }

    @Test("A push whose stream was reset has failed, and the next one arrives")
    func reset() async throws {
        try await withAPNs { apns in
            let token = try await apns.token()
            try await withBackend(of: apns, tokens: [token]) { backend in
                let fault = try await apns.reset()
                await #expect(throws: (any Error).self) { try await backend.notify("Lunch is ready") }
                #expect(try await apns.times(fault) == 1)
                #expect(try await backend.notify("Dinner is ready") == [token: "200"])
            }
            try await apns.wait(PushConditions(status: 200, text: "Dinner"))
        }
    }

    @Test("A push that GOAWAY excludes has failed, and the next one takes another connection")
    func goAway() async throws {
        try await withAPNs { apns in
            let token = try await apns.token()
            try await withBackend(of: apns, tokens: [token]) { backend in
                #expect(try await backend.notify("Breakfast is ready") == [token: "200"])
                let fault = try await apns.goAway(last: "before")
                await #expect(throws: (any Error).self) { try await backend.notify("Lunch is ready") }
                #expect(try await apns.times(fault) == 1)
                #expect(try await backend.notify("Dinner is ready") == [token: "200"])
            }
            #expect(try await apns.wait(count: 2).map(\.status) == [200, 200])
        }
    }

    @Test("The backend ends also after a GOAWAY behind its last push")
    func goAwayAtTheEnd() async throws {
        try await withAPNs { apns in
            let token = try await apns.token()
            try await withBackend(of: apns, tokens: [token]) { backend in
                _ = try await apns.goAway()
                #expect(try await backend.notify("Lunch is ready") == [token: "200"])
            }
        }
    }

    @Test("An hour later the provider token is refused, and a push has expired")
    func hourLater() async throws {
        try await withAPNs { apns in
            let token = try await apns.token()
            let expiration = Int(try await apns.now.timeIntervalSince1970) + 3600
            try await withBackend(of: apns, tokens: [token]) { backend in
                let headers = ["apns-expiration": String(expiration)]
                #expect(try await backend.notify("Lunch is ready", headers: headers) == [token: "200"])
                let push = try #require(try await apns.wait().first)
                #expect(try await apns.state(of: push) == "waiting")
                try await apns.turnClock(by: 3601)
                try await apns.wait(for: push, toBe: "expired")
                #expect(try await backend.notify("Lunch is ready") == [token: "403 ExpiredProviderToken"])
            }
        }
    }

    @Test("The phone shows a push, and tomorrow's push tomorrow")
    func phone() async throws {
        try await withSandbox { sandbox in
            let push: [String: any Sendable] = [
                "platform": "ios", "audience": "all", "notification": ["alert": "Lunch is ready"],
                "options": ["apns_production": true],
            ]
            let answer = try await rest(sandbox, "/v3/push", push)
            try await sandbox.wait(for: try #require(answer["msg_id"]))
            // JPush's times are China's.
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = TimeZone(secondsFromGMT: 8 * 3600)
            formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
            let time = formatter.string(from: try await sandbox.apns.now + 20 * 3600)
            let later = push.merging(["notification": ["alert": "Tomorrow's lunch is ready"]]) { $1 }
            let trigger = ["single": ["time": time]]
            _ = try await rest(
                sandbox,
                "/v3/schedules",
                ["name": "Lunch", "enabled": true, "trigger": trigger, "push": later]
            )
            try await sandbox.turnClock(by: 20 * 3600 + 60)
            let arrived = try await sandbox.apns.wait(PushConditions(text: "Tomorrow"), within: 20)
            try await sandbox.wait(for: try #require(arrived.first), within: 20)
        }
    }

    /// Sends a request to the JPush REST API, and returns the texts of the answer.
    private func rest(
        _ sandbox: Sandbox,
        _ path: String,
        _ body: [String: any Sendable]
    ) async throws -> [String: String] {
        var request = URLRequest(url: try #require(URL(string: sandbox.url + path)))
        request.httpMethod = "POST"
        request.httpBody = try JSONSerialization.data(withJSONObject: body)
        let login = Data("\(sandbox.appKey):\(sandbox.masterSecret)".utf8).base64EncodedString()
        request.setValue("Basic \(login)", forHTTPHeaderField: "Authorization")
        let (data, response) = try await URLSession.shared.data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        return (try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]).compactMapValues {
            $0 as? String
        }
    }
}
