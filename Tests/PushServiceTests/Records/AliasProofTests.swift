import DeviceLink
import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@testable import PushStorePostgres

/// The engines that a test of a whole service runs on.
enum TestEngine: CaseIterable {
    case sqlite
    case postgres

    /// Runs a service with one app while `body` runs.
    func run(_ body: (TestService) async throws -> Void) async throws {
        switch self {
        case .sqlite: try await TestService.run(body)
        case .postgres:
            try await PostgresDatabase.with { pool in
                try await withTemporaryFolder { folder in
                    try await TestService.run(
                        in: folder,
                        on: PostgresStore(pool),
                        clock: VirtualClock(),
                        sender: ScriptedSender(),
                        body
                    )
                }
            }
        }
    }
}

extension TestService {
    /// Performs an operation of an operator on the app.
    @discardableResult
    func operate(
        _ operation: OperatorController.Operation,
        _ parameters: [String: JSONValue] = [:]
    ) async throws -> JSONObject {
        var object: JSONObject = ["app": .string(app.key.text)]
        for (key, value) in parameters { object[key] = value }
        return try await core.operators.perform(operation.rawValue, JSONValue.object(object).bytes)
    }

    /// Makes the alias key, or another in its place.
    func aliasKey(_ parameters: [String: JSONValue] = [:]) async throws -> String {
        try #require(try await operate(.appAliasKey, parameters)["alias_key"]?.string)
    }
}

@Suite("Aliases that the backend vouches for", .suiteLimit)
struct AliasProofTests {
    private static let id = RegistrationID("1a0018970aabbccd")

    private func proof(_ name: ProvedName, _ identity: Identity, _ key: String) throws -> String {
        AliasProofs.proof(of: name, for: try #require(RegistrationID(identity.registrationID)), key: key)
    }

    @Test("A proof is the HMAC-SHA256 of three lines by the text of the key, in lowercase hexadecimal digits")
    func bytes() throws {
        let id = try #require(Self.id)
        let key = String(repeating: "0123456789abcdef", count: 4)
        // By Python's hmac.
        let known: [(ProvedName, String)] = [
            (.alias("bob"), "28a401e096e7ce6987a5213b67542c13acdb219d7d58f16dd6a9de6435f88790"),
            (.tag("bob"), "59fd38a339e94ccc8378cbc1dd603cd9fc76293cee2bb45c38c0baeac3620a68"),
            (.alias("中文"), "d037e8c69ae5289f027caee537b2a8699df8bc1b4d89c0ea51483e5ff424e121"),
        ]
        for (name, text) in known { #expect(AliasProofs.proof(of: name, for: id, key: key) == text) }
    }

    @Test("An app that nobody has set lets every device set its alias, without a key and without a proof")
    func byDefault() async throws {
        try await TestService.run { service in
            let shown = try await service.operate(.appShow)
            #expect(shown["aliases"] == "anyone")
            #expect(shown["protected_tags"] == .null)
            #expect(shown["has_alias_key"] == false)
            let (link, identity) = try await service.enrol()
            #expect(try await link.ask(.setAlias("bob")).code == 0)
            #expect(try await !service.device(identity).isAliasProved)
            // A proof that is given is checked all the same.
            let wrong = try proof(.alias("bob"), identity, "key")
            #expect(try await link.ask(.setAlias("bob", proof: wrong)).code == 6017)
            let key = try await service.aliasKey()
            #expect(key.count == 64)
            #expect(
                try await link.ask(.setAlias("bob", proof: try proof(.alias("bob"), identity, key))).code == 0
            )
            #expect(try await service.device(identity).isAliasProved)
            #expect(try await link.ask(.setAlias("bob")).code == 0)
            #expect(try await service.device(identity).isAliasProved, "It has the alias already.")
            #expect(try await link.ask(.setAlias("ann")).code == 0)
            #expect(try await !service.device(identity).isAliasProved, "Another alias has no proof.")
        }
    }

    @Test("With proofs, an alias needs that of this device, this alias and this key", arguments: TestEngine.allCases)
    func proved(_ engine: TestEngine) async throws {
        try await engine.run { service in
            try await service.operate(.appSet, ["aliases": "proved"])
            let (link, identity) = try await service.enrol("1")
            let (_, other) = try await service.enrol("2")
            #expect(
                try await link.ask(.setAlias("bob"))
                    == SDKReply(
                        code: 6017,
                        message: "The alias needs a proof for this registration id, which the app's backend makes."
                    )
            )
            let key = try await service.aliasKey()
            let good = try proof(.alias("bob"), identity, key)
            for wrong in [
                try proof(.alias("bob"), other, key), try proof(.alias("eve"), identity, key),
                try proof(.tag("bob"), identity, key), try proof(.alias("bob"), identity, key + " "),
                good.uppercased(), String(good.dropLast()), "",
            ] {
                #expect(try await link.ask(.setAlias("bob", proof: wrong)).code == 6017, "\(wrong)")
                await service.clock.advance(by: .seconds(2))
            }
            #expect(try await service.device(identity).alias == nil)
            #expect(try await link.ask(.setAlias("bob", proof: good)) == SDKReply(code: 0, alias: "bob"))
            let device = try await service.device(identity)
            #expect((device.alias, device.isAliasProved) == ("bob", true))
            // An app that sets the alias at each start, without asking the backend again.
            #expect(try await link.ask(.setAlias("bob")).code == 0)
            #expect(try await link.ask(.deleteAlias).code == 0)
            #expect(try await link.ask(.setAlias("bob")).code == 6017)
        }
    }

    @Test("With the backend alone, no proof helps; what the backend has set stays")
    func backend() async throws {
        try await TestService.run { service in
            let key = try await service.aliasKey()
            try await service.operate(.appSet, ["aliases": "backend", "protected_tags": "role="])
            let (link, identity) = try await service.enrol()
            let good = try proof(.alias("bob"), identity, key)
            let refusal = "Only the app's backend sets aliases, with POST /v3/devices."
            #expect(try await link.ask(.setAlias("bob", proof: good)) == SDKReply(code: 6017, message: refusal))
            #expect(try await link.ask(.addTags(["free"], proofs: ["free": "x"])).code == 0)
            let tag = try proof(.tag("role=a"), identity, key)
            #expect(try await link.ask(.addTags(["role=a"], proofs: ["role=a": tag])).code == 6017)
            let change = try DeviceChange(parsing: Array(#"{"alias":"bob","tags":{"add":["role=a"]}}"#.utf8))
            try await service.core.devices.change(identity.registrationID, of: service.app.id, change)
            let device = try await service.device(identity)
            #expect((device.alias, device.isAliasProved) == ("bob", true))
            #expect(try await link.ask(.setAlias("bob")).code == 0, "It has it.")
            #expect(try await link.ask(.setTags(["role=a", "x"])).code == 0, "It has it.")
        }
    }

    @Test("A protected tag needs a proof of its own; others and those that a device has need none")
    func tags() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol()
            #expect(try await link.ask(.addTags(["role=old"])).code == 0)
            try await service.operate(.appSet, ["aliases": "proved", "protected_tags": "role="])
            let key = try await service.aliasKey()
            #expect(try await link.ask(.addTags(["free", "role"])).code == 0)
            let refused = try await link.ask(.addTags(["x", "role=admin"]))
            #expect(refused.code == 6017)
            #expect(refused.message?.hasPrefix("The tag 'role=admin' is protected") == true, "\(refused)")
            let good = try proof(.tag("role=admin"), identity, key)
            #expect(
                try await link.ask(
                    .addTags(["role=admin"], proofs: ["role=admin": try proof(.alias("role=admin"), identity, key)])
                )
                .code == 6017
            )
            #expect(try await link.ask(.setTags(["role=old", "role=admin"], proofs: ["role=admin": good])).code == 0)
            #expect(try await link.ask(.getAllTags).tags == ["role=admin", "role=old"])
            #expect(try await link.ask(.setTags(["role=admin"])).code == 0)
            await service.clock.advance(by: .seconds(10))
            #expect(try await link.ask(.deleteTags(["role=admin"])).code == 0)
            #expect(try await link.ask(.addTags(["role=admin"])).code == 6017)
            let many = Dictionary(uniqueKeysWithValues: (0...1000).map { ("t\($0)", good) })
            #expect(try await link.ask(.addTags(["t0"], proofs: many)).message?.contains("1001 proofs") == true)
        }
    }

    @Test("A key is shown once; another takes its place at once, or after the hours that are said")
    func rotation() async throws {
        try await TestService.run { service in
            try await service.operate(.appSet, ["aliases": "proved"])
            let (link, identity) = try await service.enrol()
            func code(_ key: String) async throws -> Int {
                await service.clock.advance(by: .seconds(10))
                _ = try await link.ask(.deleteAlias)
                return try await link.ask(.setAlias("bob", proof: try proof(.alias("bob"), identity, key))).code
            }
            let first = try await service.aliasKey(["overlap_hours": 5])
            let error = await #expect(throws: OperatorError.self) { try await service.operate(.appAliasKey) }
            #expect(error?.code == .conflict)
            #expect(try await code(first) == 0)
            let second = try await service.aliasKey(["rotate": true, "overlap_hours": 2])
            #expect(try await code(first) == 0)
            #expect(try await code(second) == 0)
            await service.clock.advance(by: .seconds(7200))
            #expect(try await code(first) == 6017)
            let third = try await service.aliasKey(["rotate": true])
            #expect(try await code(second) == 6017)
            #expect(try await code(third) == 0)
            #expect(Set([first, second, third]).count == 3)
            await #expect(throws: OperatorError.self) {
                try await service.aliasKey(["rotate": true, "overlap_hours": 721])
            }
            // No key is in the audit log.
            let log = try await service.core.operators.perform("audit.list", [])
            #expect(JSONValue.object(log).text.contains("app.alias_key"))
            for key in [first, second, third] { #expect(!JSONValue.object(log).text.contains(key)) }
        }
    }

    @Test(
        "A prefix of tags that no tag can begin with is refused",
        arguments: ["a b", String(repeating: "x", count: 40), "\u{0}"]
    )
    func prefixes(_ prefix: String) async throws {
        try await TestService.run { service in
            await #expect(throws: OperatorError.self) {
                try await service.operate(.appSet, ["protected_tags": .string(prefix)])
            }
            try await service.operate(.appSet, ["protected_tags": "a"])
            #expect(try await service.operate(.appShow)["protected_tags"] == "a")
            try await service.operate(.appSet, ["protected_tags": ""])
            #expect(try await service.operate(.appShow)["protected_tags"] == .null)
        }
    }

    @Test("Proofs, keys and settings outlive a restart", arguments: TestEngine.allCases)
    func restart(_ engine: TestEngine) async throws {
        try await engine.run { service in
            try await service.operate(.appSet, ["aliases": "proved", "protected_tags": "role="])
            let key = try await service.aliasKey()
            let (link, identity) = try await service.enrol()
            let good = try proof(.alias("bob"), identity, key)
            #expect(try await link.ask(.setAlias("bob", proof: good)).code == 0)
            let later = try await ServiceCore(
                .scripted(service.store, service.sender, service.clock),
                ServiceSettings()
            )
            let app = try #require(try await later.registry.app(service.app.key))
            #expect((app.aliases.policy, app.aliases.protectedTags, app.aliases.keyNumber) == (.proved, "role=", 1))
            let result = try await later.acceptor.accept(
                Array(messageBody("m", audience: #"{"alias":["bob"]}"#).utf8),
                for: app
            )
            #expect(result.messageID.number > 0)
        }
    }
}

@Suite("Custom messages to an alias without a proof", .suiteLimit)
struct UnprovedAliasMessageTests {
    private static let bob = #"{"alias":["bob"]}"#

    /// Two devices with the alias from before proofs were asked for, of which one has a proof by now.
    private func withDevices(
        _ engine: TestEngine = .sqlite,
        _ body: (TestService, _ proved: TestLink, _ unproved: TestLink, Identity) async throws -> Void
    ) async throws {
        try await engine.run { service in
            let (proved, first) = try await service.enrol("1")
            let (unproved, second) = try await service.enrol("2")
            for (number, link) in [proved, unproved].enumerated() {
                _ = try await link.ask(.token(DeviceToken(bytes: [UInt8(number)]), .production))
                #expect(try await link.ask(.setAlias("bob")).code == 0)
            }
            try await service.operate(.appSet, ["aliases": "proved"])
            let key = try await service.aliasKey()
            let id = try #require(RegistrationID(first.registrationID))
            let proof = AliasProofs.proof(of: .alias("bob"), for: id, key: key)
            #expect(try await proved.ask(.setAlias("bob", proof: proof)).code == 0)
            try await body(service, proved, unproved, second)
        }
    }

    private func app(_ service: TestService) throws -> App {
        try #require(service.core.registry.app(service.app.id))
    }

    @Test("It goes to the device with a proof alone, and the notification to both", arguments: TestEngine.allCases)
    func withNotification(_ engine: TestEngine) async throws {
        try await withDevices(engine) { service, proved, unproved, _ in
            let app = try app(service)
            _ = try await service.push(messageBody("secret", audience: Self.bob, notification: "n"), for: app)
            #expect(try await proved.hearMessage().content == "secret")
            try await service.waitForSent(2)
            // Messages come in their order, so the first that the device hears is not the one before.
            _ = try await service.push(messageBody("all"), for: app)
            #expect(try await unproved.hearMessage().content == "all")
        }
    }

    @Test("A push to nobody else is refused with the reason; with POST /v3/devices the backend vouches for the alias")
    func alone() async throws {
        try await withDevices { service, proved, unproved, identity in
            #expect(try await proved.ask(.deleteAlias).code == 0)
            let app = try app(service)
            let body = messageBody("m", audience: Self.bob)
            let refusal = try await service.refusal(body, for: app)
            #expect(refusal.code == 1011)
            #expect(refusal.message.contains("without a proof"), "\(refusal)")
            #expect(service.core.acceptor.prepareAtOnce(Array(body.utf8), for: app) == nil)
            let change = try DeviceChange(parsing: Array(#"{"alias":"bob"}"#.utf8))
            try await service.core.devices.change(identity.registrationID, of: app.id, change)
            #expect(service.core.acceptor.prepareAtOnce(Array(body.utf8), for: app) != nil)
            _ = try await service.push(body, for: app)
            #expect(try await unproved.hearMessage().content == "m")
        }
    }

    @Test("Direct pushes, batches and files follow the same rule; other audiences do not")
    func roads() async throws {
        try await withDevices { service, proved, unproved, identity in
            let app = try app(service)
            let cid = app.key.makeCID()
            let push = #""platform":"all","target":"bob","message":{"msg_content":"b"}"#
            let batch = try PushBatch(parsing: Array("{\"pushlist\":{\"\(cid)\":{\(push)}}}".utf8), to: .alias)
            _ = try await service.core.acceptor.accept(batch, for: app).map { try $0.get() }
            #expect(try await proved.hearMessage().content == "b")
            let names = Array("bob\nnobody".utf8)
            // Now there is a message id at hand.
            let body = Array(messageBody("d", audience: Self.bob).utf8)
            let direct = service.core.acceptor.prepareAtOnce(body, for: app)
            #expect(direct?.chunks.map(\.ordinals.ordinals) == [[0]])
            let file = try await service.core.files.create(
                names[...],
                name: "a.txt",
                kind: .alias,
                hours: nil,
                owner: app.key.text
            )
            let toFile = messageBody("f", audience: "{\"file\":{\"file_id\":\"\(file.id)\"}}")
            _ = try await service.core.acceptor.accept(Array(toFile.utf8), for: app, file: .required)
            #expect(try await proved.hearMessage().content == "f")
            // By its registration id the backend means the device, whatever its alias.
            _ = try await service.push(
                messageBody("r", audience: "{\"registration_id\":[\"\(identity.registrationID)\"]}"),
                for: app
            )
            #expect(try await unproved.hearMessage().content == "r", "It has heard nothing before.")
            // One device, without a proof: of a batch, too.
            #expect(try await proved.ask(.deleteAlias).code == 0)
            let again = try PushBatch(
                parsing: Array("{\"pushlist\":{\"\(app.key.makeCID())\":{\(push)}}}".utf8),
                to: .alias
            )
            let results = try await service.core.acceptor.accept(again, for: app)
            guard case .failure(let error)? = results.first else {
                Issue.record("The push has nobody to go to.")
                return
            }
            #expect((error.code, error.message.contains("without a proof")) == (1011, true))
        }
    }

    @Test("Where anyone sets aliases, a message goes to all devices with the alias")
    func anyone() async throws {
        try await withDevices { service, proved, unproved, _ in
            try await service.operate(.appSet, ["aliases": "anyone"])
            _ = try await service.push(messageBody("m", audience: Self.bob), for: try app(service))
            #expect(try await proved.hearMessage().content == "m")
            #expect(try await unproved.hearMessage().content == "m")
        }
    }
}
