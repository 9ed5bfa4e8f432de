import Foundation
import GRDB
import PushClock
import PushModel
import TestSupport
import Testing

@testable import PushService
@testable import PushStoreSQLite

@Suite("The audit log says what changed, and no secret", .suiteLimit)
struct AuditTests {
    private static let password = "correct horse battery"

    private struct Outcome {
        var answer: JSONObject?
        var refusal: OperatorError?
        var entries: [AuditEntry]
    }

    /// Performs an operation.
    ///
    /// - Returns: its answer or refusal, and the entries that it left, the newest first.
    private static func perform(
        _ name: String,
        _ body: [UInt8],
        in service: TestService
    ) async throws -> Outcome {
        let last = try await service.store.auditEntries(before: nil, limit: 1).first?.id ?? 0
        var outcome = Outcome(entries: [])
        do throws(OperatorError) {
            let actor = Actor(name: "ana", address: "192.0.2.7")
            outcome.answer = try await service.core.operators.perform(name, body, by: actor)
        } catch { outcome.refusal = error }
        outcome.entries = try await service.store.auditEntries(before: nil, limit: 10).filter { $0.id > last }
        return outcome
    }

    private static func perform(
        _ operation: OperatorController.Operation,
        _ parameters: JSONObject = [:],
        in service: TestService
    ) async throws -> Outcome {
        try await perform(operation.rawValue, JSONValue.object(parameters).bytes, in: service)
    }

    @Test(
        "An operation leaves one entry if it changes something, also if it is refused",
        arguments: OperatorController.Operation.allCases
    )
    func everyOperation(_ operation: OperatorController.Operation) async throws {
        try await TestService.run { service in
            let outcome = try await Self.perform(operation, ["unknown": 1], in: service)
            #expect(outcome.refusal != nil)
            guard operation.isAudited else { return #expect(outcome.entries.isEmpty) }
            let entry = try #require(outcome.entries.first)
            #expect(outcome.entries.count == 1)
            #expect(entry.action == operation.rawValue && !entry.isDone)
            #expect(entry.actor == Actor(name: "ana", address: "192.0.2.7"))
            #expect(entry.at == service.clock.date)
            #expect(entry.detail == outcome.refusal?.message)
        }
    }

    @Test("A change is recorded with what it was, and a password as one that was given")
    func detail() async throws {
        try await TestService.run { service in
            let user: JSONObject = ["name": "ben", "role": "admin", "password": .string(Self.password)]
            let created = try await Self.perform(.userCreate, user, in: service)
            #expect(created.entries.map(\.detail) == [#"{"role":"admin","password":"…"}"#])
            #expect(created.entries.map(\.subject) == ["ben"])
            let app: JSONObject = ["app": .string(service.app.key.text), "environment": "development"]
            let changed = try await Self.perform(.appSet, app, in: service)
            #expect(changed.entries.map(\.detail) == [#"{"environment":"development"}"#])
            #expect(changed.entries.map(\.subject) == [service.app.key.text])
            #expect(changed.entries.map(\.isDone) == [true])
        }
    }

    @Test(
        "A refusal that quotes a secret is recorded by its code alone",
        arguments: [
            (.userCreate, ["name": "ben", "role": "viewer", "password": 8_675_309_867], "8675309867"),
            (.userSet, ["name": "ben", "password": 8_675_309_867], "8675309867"),
            (.credentialAdd, ["certificate": 8_675_309_867], "8675309867"),
        ] as [(OperatorController.Operation, JSONObject, String)]
    )
    func quotedSecrets(
        _ operation: OperatorController.Operation,
        _ parameters: JSONObject,
        _ secret: String
    ) async throws {
        try await TestService.run { service in
            var parameters = parameters
            if operation == .credentialAdd { parameters["app"] = .string(service.app.key.text) }
            let outcome = try await Self.perform(operation, parameters, in: service)
            #expect(outcome.refusal?.code == .badRequest)
            let entry = try #require(outcome.entries.first)
            #expect(outcome.refusal?.message.contains(secret) == true, "The one who sent it sees it.")
            #expect(!entry.isDone && entry.detail == "bad_request")
        }
    }

    @Test("A body that is no JSON object is recorded as a refused change", arguments: ["{", "[]", "1"])
    func noObject(_ body: String) async throws {
        try await TestService.run { service in
            let outcome = try await Self.perform("user.remove", Array(body.utf8), in: service)
            #expect(outcome.refusal?.code == .badRequest)
            #expect(outcome.entries.map(\.action) == ["user.remove"])
            #expect(outcome.entries.map(\.isDone) == [false])
        }
    }

    @Test("A long text of a caller is cut")
    func longTexts() async throws {
        try await TestService.run { service in
            let name = String(repeating: "x", count: 100_000)
            let outcome = try await Self.perform(.userRemove, ["name": .string(name)], in: service)
            #expect(outcome.refusal?.code == .notFound)
            let entry = try #require(outcome.entries.first)
            #expect(entry.subject?.count == AuditEntry.textLength && entry.detail?.count == AuditEntry.textLength)
        }
    }

    @Test("No password, key or hash of it is in the log, whatever is done with it")
    func noSecrets() async throws {
        try await TestService.run { service in
            let user: JSONObject = ["name": "ben", "role": "admin", "password": .string(Self.password)]
            _ = try await Self.perform(.userCreate, user, in: service)
            _ = try await Self.perform(.userCreate, user, in: service)
            _ = try await Self.perform(.userSet, ["name": "ben", "password": .string(Self.password)], in: service)
            _ = try await Self.perform(.userSet, ["name": "no", "password": .string(Self.password)], in: service)
            let created = try await Self.perform(.appCreate, ["name": "A", "bundle_id": "a.b"], in: service)
            let group = try await Self.perform(.groupCreate, ["name": "G"], in: service)
            let developer = try await Self.perform(.developerCreate, ["name": "D"], in: service)
            let key = "-----BEGIN PRIVATE KEY-----"
            let credential: JSONObject = [
                "app": .string(service.app.key.text), "p8": .string(key), "key_id": "ABCDE12345",
                "team_id": "TEAM123456",
            ]
            _ = try await Self.perform(.credentialAdd, credential, in: service)
            let hash = try #require(try await service.store.user("ben")?.password.text)
            let secrets = [
                Self.password, key, hash, created.answer?["master_secret"]?.string,
                group.answer?["master_secret"]?.string, developer.answer?["dev_secret"]?.string,
            ]
            let entries = try await service.store.auditEntries(before: nil, limit: 100)
            #expect(entries.count == 8)
            for secret in secrets {
                let secret = try #require(secret)
                for entry in entries {
                    for text in [entry.actor.name, entry.action, entry.subject ?? "", entry.detail ?? ""] {
                        #expect(!text.contains(secret))
                    }
                }
            }
        }
    }

    @Test("An operation that tries credentials is recorded; the doctor only if it is asked about an app")
    func trials() async throws {
        try await TestService.run { service in
            let app = JSONValue.string(service.app.key.text)
            #expect(try await Self.perform(.doctor, in: service).entries.isEmpty)
            let examined = try await Self.perform(.doctor, ["app": app], in: service)
            #expect(examined.entries.map(\.action) == ["doctor.run"] && examined.entries.map(\.isDone) == [true])
            #expect(examined.entries.map(\.subject) == [service.app.key.text])
            let tried = try await Self.perform(.credentialTest, ["app": app], in: service)
            #expect(tried.entries.map(\.action) == ["credential.test"])
        }
    }

    @Test("An actor makes so many changes in a minute; the next one is refused, which is recorded once")
    func rate() async throws {
        try await TestService.run { service in
            service.core.settings.value.operators.changesPerMinute = 3
            let change: JSONObject = ["app": .string(service.app.key.text), "environment": "development"]
            for _ in 0..<3 { #expect(try await Self.perform(.appSet, change, in: service).refusal == nil) }
            for count in [1, 0, 0] {
                let outcome = try await Self.perform(.appSet, change, in: service)
                #expect(outcome.refusal?.code == .tooManyRequests)
                #expect(outcome.refusal?.retryAfter == 60)
                #expect(outcome.entries.count == count)
            }
            let record: JSONObject = ["actor": "ben", "action": "x", "ok": true]
            let forged = try await Self.perform(.auditRecord, record, in: service)
            #expect(forged.refusal?.code == .tooManyRequests, "An entry in another name counts for who writes it.")
            #expect(try await Self.perform(.appList, in: service).refusal == nil, "Reading has no limit.")
            _ = try await service.core.operators.perform("app.set", JSONValue.object(change).bytes)
            await service.clock.advance(by: .seconds(60))
            #expect(try await Self.perform(.appSet, change, in: service).refusal == nil)
        }
    }

    @Test("A minute that begins in the future, as after the clock was set back, limits nobody")
    func clockSetBack() {
        let rates = MinuteRates<String>()
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(rates.take("ana", limit: 1, at: now).answer == .taken)
        #expect(rates.take("ana", limit: 1, at: now).answer == .firstTooMany)
        #expect(rates.take("ana", limit: 1, at: now - 3600).answer == .taken)
    }

    @Test("Beyond a number, the oldest entries make room for new ones, unless they are young")
    func cap() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteStore(path: folder.appending(path: "store.sqlite").path)
            let date = Date(timeIntervalSince1970: 1_767_254_400)
            func append(_ action: String, keepingFrom first: Date) async throws {
                let actor = Actor(name: "ana")
                try await store.appendAudit(
                    AuditEntry(at: date, actor: actor, action: action, subject: nil, detail: nil, isDone: true),
                    keepingFrom: first
                )
            }
            func addMany(_ count: Int64) async throws {
                try await store.writes.write { database in
                    try database.execute(
                        sql: """
                            INSERT INTO audit (at, actor, action, isDone)
                            WITH RECURSIVE number(it) AS (SELECT 1 UNION ALL SELECT it + 1 FROM number WHERE it < ?)
                            SELECT ?, 'ana', 'many', 1 FROM number
                            """,
                        arguments: [count, date.milliseconds]
                    )
                }
            }
            func count() async throws -> Int? {
                try await store.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM audit") }
            }
            try await append("first", keepingFrom: date)
            try await addMany(AuditEntry.limit + 98)
            try await append("young", keepingFrom: date)
            #expect(try await count() == Int(AuditEntry.limit) + 100)
            try await addMany(99)
            try await append("old", keepingFrom: date + 1)
            #expect(try await count() == Int(AuditEntry.limit))
            #expect(try await store.auditEntries(before: nil, limit: 101).map(\.action).last == "young")
        }
    }
}
