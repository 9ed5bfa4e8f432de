import Foundation
import GRDB
import PushClock
import PushModel
import TestSupport
import Testing

@testable import PushService
@testable import PushStoreSQLite

@Suite("The audit log says what changed, and no secret", .timeLimit(.minutes(5)))
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

    @Test("The oldest entries make room for new ones, beyond a number")
    func cap() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteStore(path: folder.appending(path: "store.sqlite").path)
            let date = Date(timeIntervalSince1970: 1_767_254_400)
            func append() async throws {
                try await store.appendAudit(
                    AuditEntry(
                        at: date,
                        actor: Actor(name: "ana"),
                        action: "a",
                        subject: nil,
                        detail: nil,
                        isDone: true
                    )
                )
            }
            for _ in 0..<3 { try await append() }
            // As many entries later, without writing each of them.
            try await store.database.write { database in
                try database.execute(
                    sql: "UPDATE sqlite_sequence SET seq = ? WHERE name = 'audit'",
                    arguments: [SQLiteStore.auditLimit]
                )
            }
            try await append()
            let ids = try await store.auditEntries(before: nil, limit: 10).map(\.id)
            #expect(ids == [SQLiteStore.auditLimit + 1, 3, 2])
        }
    }
}
