import Foundation
import PushClock
import PushModel
import TestSupport
import Testing

@testable import PushService

@Suite("Users of the portal, and the audit log", .suiteLimit)
struct UserTests {
    @Test(
        "A password's key is that of RFC 7914, section 12",
        arguments: [
            (
                "password", "NaCl", PasswordHash.Cost(rounds: 10, blockSize: 8, parallelism: 16),
                "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d"
                    + "8360cbdfa2cc0640"
            ),
            (
                "pleaseletmein", "SodiumChloride", PasswordHash.Cost(rounds: 14, blockSize: 8, parallelism: 1),
                "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40"
                    + "dfcf017b45575887"
            ),
        ]
    )
    func vectors(_ password: String, _ salt: String, _ cost: PasswordHash.Cost, _ key: String) throws {
        let derived = try PasswordHash.derive(password, salt: Array(salt.utf8), cost: cost, bytes: 64)
        #expect(derived.hexadecimal == key)
    }

    @Test("A hash is read as it was written, keeps its cost, and knows its password alone")
    func hashes() throws {
        let cost = PasswordHash.Cost(rounds: 4, blockSize: 8, parallelism: 1)
        let hash = try PasswordHash(of: "correct horse", cost: cost)
        let read = try #require(PasswordHash(hash.text))
        #expect(read == hash && read.cost == cost)
        #expect(try read.matches("correct horse"))
        #expect(try !read.matches("correct horsf"))
        #expect(try PasswordHash(of: "correct horse", cost: cost).hash != hash.hash, "The salt differs.")
        for text in ["", "$scrypt$", "$bcrypt$ln=4,r=8,p=1$AA==$AA==", "$scrypt$ln=4,r=8$AA==$AA==", "correct horse"] {
            #expect(PasswordHash(text) == nil)
        }
    }

    private static let ana = Actor(name: "ana", address: "192.0.2.7")

    private func perform(
        _ operation: OperatorController.Operation,
        _ parameters: JSONObject = [:],
        by actor: Actor = ana,
        in service: TestService
    ) async throws -> JSONObject {
        try await service.core.operators.perform(operation.rawValue, JSONValue.object(parameters).bytes, by: actor)
    }

    private func refusal(
        of operation: OperatorController.Operation,
        _ parameters: JSONObject,
        in service: TestService
    ) async throws -> OperatorError? {
        do {
            _ = try await perform(operation, parameters, in: service)
            return nil
        } catch let error as OperatorError {
            return error
        }
    }

    @Test("A user is created, found by the password, changed and removed")
    func life() async throws {
        try await TestService.run { service in
            let created = try await perform(
                .userCreate,
                ["name": "ben@example.com", "role": "sender", "password": "correct horse"],
                in: service
            )
            #expect(created.keys == ["name", "role", "created_at", "version"])
            let right: JSONObject = ["name": "ben@example.com", "password": "correct horse"]
            #expect(try await perform(.userVerify, right, in: service)["role"] == "sender")
            let wrong = try await refusal(of: .userVerify, ["name": "ben@example.com", "password": "x"], in: service)
            let unknown = try await refusal(of: .userVerify, ["name": "nobody", "password": "x"], in: service)
            #expect(wrong?.code == .unauthorized && wrong == unknown, "The answers do not tell which names there are.")
            let twice = try await refusal(
                of: .userCreate,
                ["name": "ben@example.com", "role": "admin", "password": "another horse"],
                in: service
            )
            #expect(twice?.code == .conflict)
            let changed: JSONObject = ["name": "ben@example.com", "password": "another horse", "role": "viewer"]
            #expect(try await perform(.userSet, changed, in: service)["role"] == "viewer")
            #expect(try await refusal(of: .userVerify, right, in: service)?.code == .unauthorized)
            _ = try await perform(.userRemove, ["name": "ben@example.com"], in: service)
            #expect(try await perform(.userList, in: service)["users"] == [])
            for operation in [OperatorController.Operation.userSet, .userRemove] {
                #expect(try await refusal(of: operation, ["name": "ben@example.com"], in: service)?.code == .notFound)
            }
        }
    }

    @Test("The administrator of a stack for tests has a random password, whose hash is light, and is in the audit log")
    func administrator() async throws {
        try await TestService.run { service in
            let password = try await service.core.operators.createAdministrator("admin")
            let other = try await service.core.operators.createAdministrator("other")
            #expect(password.utf8.count == 20 && other.utf8.count == 20 && password != other)
            let user = try #require(try await service.core.store.user("admin"))
            #expect(user.role == .admin && user.password.cost == .light)
            let right: JSONObject = ["name": "admin", "password": .string(password)]
            #expect(try await perform(.userVerify, right, in: service)["role"] == "admin")
            let wrong: JSONObject = ["name": "admin", "password": .string(other)]
            #expect(try await refusal(of: .userVerify, wrong, in: service)?.code == .unauthorized)
            // A password that people choose gets a hash that takes long.
            _ = try await perform(.userSet, ["name": "admin", "password": "correct horse"], in: service)
            #expect(try await service.core.store.user("admin")?.password.cost == .standard)
            let entries = try await perform(.auditList, in: service)["entries"]?.array ?? []
            let first = try #require(entries.last?.object)
            #expect(first["action"] == "user.create" && first["subject"] == "admin")
            #expect(first["detail"] == #"{"role":"admin","password":"…"}"#)
            #expect(first["actor"] == "command line")
        }
    }

    @Test("The last administrator stays, until there is another")
    func lastAdministrator() async throws {
        try await TestService.run { service in
            func create(_ name: String) async throws {
                _ = try await perform(
                    .userCreate,
                    ["name": .string(name), "role": "admin", "password": "correct horse"],
                    in: service
                )
            }
            try await create("ana")
            let demotion: JSONObject = ["name": "ana", "role": "sender"]
            #expect(try await refusal(of: .userSet, demotion, in: service)?.code == .conflict)
            #expect(try await refusal(of: .userRemove, ["name": "ana"], in: service)?.code == .conflict)
            try await create("ben")
            #expect(try await perform(.userSet, demotion, in: service)["role"] == "sender")
            #expect(try await refusal(of: .userRemove, ["name": "ben"], in: service)?.code == .conflict)
        }
    }

    @Test(
        "A name, a role and a password that are none are refused",
        arguments: [
            ["name": "", "role": "viewer", "password": "correct horse"],
            ["name": "a b", "role": "viewer", "password": "correct horse"],
            ["name": "<b>", "role": "viewer", "password": "correct horse"],
            ["name": "ana", "role": "owner", "password": "correct horse"],
            ["name": "ana", "role": "viewer", "password": "too short"],
            ["name": "ana", "role": "viewer"],
            ["name": "ana", "role": "viewer", "password": "correct horse", "email": "x"],
        ] as [JSONObject]
    )
    func refused(_ parameters: JSONObject) async throws {
        try await TestService.run { service in
            let code = try await refusal(of: .userCreate, parameters, in: service)?.code
            #expect(code == .badRequest)
            let users = try await perform(.userList, in: service)["users"]
            #expect(users == [])
        }
    }

    @Test("Each change is in the audit log with its actor, also a refused one; reading and secrets are not")
    func audit() async throws {
        try await TestService.run { service in
            let key = service.app.key.text
            _ = try await perform(
                .userCreate,
                ["name": "ben", "role": "admin", "password": "correct horse"],
                in: service
            )
            _ = try await perform(.appSet, ["app": .string(key), "environment": "development"], in: service)
            _ = try await refusal(of: .userRemove, ["name": "ben"], in: service)
            let token = Actor(name: "operator token")
            let created = try await perform(.developerCreate, ["name": "Dev"], by: token, in: service)
            _ = try await perform(.appList, in: service)
            _ = try await perform(.userVerify, ["name": "ben", "password": "correct horse"], in: service)
            _ = try await perform(
                .auditRecord,
                ["actor": "ana", "action": "POST /v3/push", "subject": .string(key), "ok": true],
                in: service
            )
            let answer = try await perform(.auditList, in: service)
            let entries = (answer["entries"]?.array ?? []).compactMap(\.object)
            #expect(
                entries.map { $0["action"]?.string } == [
                    "POST /v3/push", "developer.create", "user.remove", "app.set", "user.create",
                ]
            )
            #expect(entries.map { $0["subject"] } == [.string(key), created["dev_key"], "ben", .string(key), "ben"])
            #expect(entries.map { $0["ok"]?.bool } == [true, true, false, true, true])
            #expect(entries.map { $0["actor"]?.string } == ["ana", "operator token", "ana", "ana", "ana"])
            #expect(entries[3]["address"] == "192.0.2.7" && entries[1]["address"] == .null)
            #expect(entries[2]["detail"]?.string?.contains("only administrator") == true)
            let secret = try #require(created["dev_secret"]?.string)
            for text in ["correct horse", secret] { #expect(!JSONValue.object(answer).text.contains(text)) }
        }
    }

    @Test("The audit log is read in pages, the newest entry first")
    func pages() async throws {
        try await TestService.run { service in
            for number in 0..<5 {
                _ = try await perform(
                    .auditRecord,
                    ["actor": "ana", "action": .string("a\(number)"), "ok": true],
                    in: service
                )
            }
            var seen: [String] = []
            var before: JSONValue = .null
            repeat {
                let page = try await perform(.auditList, ["limit": 2, "before": before], in: service)
                seen += (page["entries"]?.array ?? []).compactMap { $0.object?["action"]?.string }
                before = page["next"] ?? .null
            } while before != .null
            #expect(seen == ["a4", "a3", "a2", "a1", "a0"])
        }
    }
}
