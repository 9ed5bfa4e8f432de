import APNSGateway
import AppleDeveloper
import Foundation
import PosthornStack
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

/// Keys as Apple issues them since 2025: for one environment or both, for all topics of a team or some.
@Suite("The credentials of an app, against keys of every kind", .suiteLimit)
struct CredentialRoadTests {
    /// A service with the gateway in the place of Apple, and an app without a credential.
    private struct Scene {
        let stack: Stack
        let client: OperatorClient
        let app: App
        let api: APIClient

        var gateway: Gateway { stack.gateway.server.gateway }
        private var service: ServiceNode { stack.service }

        init(_ stack: Stack) async throws {
            self.stack = stack
            client = try await OperatorClient(data: stack.settings.folder, creates: false)
            let made = try await client.perform(.appCreate, ["name": "A", "bundle_id": .string(Stack.bundleID)])
            let key = try #require(made["app_key"]?.string)
            app = try #require(try await stack.service.core.store.apps().first { $0.key.text == key })
            let secret = try #require(made["master_secret"]?.string)
            api = APIClient(url: stack.api.url, appKey: key, masterSecret: secret)
        }

        /// Makes a key at the gateway.
        func key(
            _ id: String,
            for environments: Set<APNSEnvironment> = Set(APNSEnvironment.allCases),
            scope: GatewayKey.Scope = .team
        ) throws -> GeneratedKey {
            try ProviderKeyFile.load(
                "\(stack.settings.folder)/\(id).p8",
                id: id,
                team: GatewayNode.teamID,
                environments: environments,
                scope: scope,
                for: gateway
            )
        }

        /// Adds a key, as an operator does.
        func add(_ key: GeneratedKey, _ more: JSONObject = [:]) async throws -> JSONObject {
            var file: JSONObject = [
                "app": .string(app.key.text), "p8": .string(key.p8), "key_id": .string(key.id),
                "team_id": .string(key.teamID),
            ]
            for member in more.members { file[member.key] = member.value }
            return try await client.perform(.credentialAdd, file)
        }

        /// Adds a key of which nothing is known, as one that was added while APNs could not be reached.
        func addUnknown(_ key: GeneratedKey, at date: Date) async throws {
            try await service.vault.add(
                Credential(keyID: key.id, teamID: key.teamID, privateKey: key.p8),
                of: app.id,
                at: date
            )
        }

        /// Registers a device with a token of the gateway's, and one for calls.
        func addDevice(_ name: String, _ environment: APNSEnvironment) async throws {
            let token = gateway.issueToken(topic: Stack.bundleID, environment: environment)
            let voip = gateway.issueToken(topic: Stack.bundleID + ".voip", environment: environment)
            let device: JSONValue = [
                "registration_id": .string(name), "token": .string(token.hexadecimal),
                "environment": .string(environment.rawValue),
            ]
            let imported = try await api.post(
                "/posthorn/v1/devices/import",
                JSONValue.object(["devices": [device]]).bytes
            )
            #expect(imported.json.object?["created"] == 1, "\(imported.json.text)")
            let devices = try await stack.service.core.store.devices(of: app.id, from: 0, limit: 9)
            let made = try #require(devices.last)
            let channel = ChannelToken(channel: .voip, name: "", token: voip, environment: environment)
            try await stack.service.core.store.setChannelToken(channel, of: made.id, limit: 9, at: Date())
        }

        func push(to device: String, _ environment: APNSEnvironment, isCall: Bool = false) async throws -> String {
            let notification: JSONValue = isCall ? ["voip": ["call": "Ann"]] : ["alert": "Hi"]
            let body: JSONValue = [
                "platform": "ios", "audience": ["registration_id": [.string(device)]], "notification": notification,
                "options": ["apns_production": .bool(environment == .production)],
            ]
            let answer = try await api.post("/v3/push", body.bytes)
            #expect(answer.status == 200, "\(answer.json.text)")
            return try #require(answer.json.object?["msg_id"]?.string)
        }

        /// The sentence of the verdict on a push, once it has one of these states.
        func verdict(_ states: Set<String>, of message: String, to device: String) async throws -> String {
            try await eventual("the verdict of \(message) is one of \(states)") {
                let journey = try await api.get("/posthorn/v1/journeys/\(message)/\(device)").json
                let verdict = journey.object?["verdict"]?.object
                return verdict?["state"]?.string.map(states.contains) == true ? verdict?["sentence"]?.string ?? "" : nil
            }
        }

        /// The id of the key that sends pushes to a topic in an environment, as the answer to an operator says.
        func sends(_ environment: APNSEnvironment, _ topic: TopicKind = .notification) async throws -> String? {
            let shown: AppCredentialsAnswer = try OperatorClient.read(
                try await client.perform(.credentialShow(app: app.key.text))
            )
            let choice = shown.second.choices.first {
                $0.environment == environment && $0.topic == topic.topic(of: app.bundleID)
            }
            return shown.second.credentials.first { $0.id == choice?.credential }?.keyID
        }
    }

    private static let arrived: Set = ["sent", "stored", "coalesced", "delivered"]

    private func withScene(_ body: @escaping @Sendable (Scene) async throws -> Void) async throws {
        try await withStack(clock: SystemClock(), preparesPhones: false) { try await body(try await Scene($0)) }
    }

    @Test("A key is added without a word about environments: APNs is asked, and the answers decide what it sends")
    func learnt() async throws {
        try await withScene { scene in
            let development = try await scene.add(scene.key("DEVELOP001", for: [.development]))
            let note = development["note"]?.string ?? ""
            #expect(note.hasPrefix("APNs accepts it in development."), "\(note)")
            #expect(note.contains("APNs refuses it in production: BadEnvironmentKeyInToken."), "\(note)")
            let verdict = development["verdict"]?.string ?? ""
            #expect(verdict.contains("The app can push to development, with key DEVELOP001"), "\(verdict)")
            #expect(verdict.contains("cannot push to production: APNs refuses credential"), "\(verdict)")
            let production = try await scene.add(scene.key("PRODUCE001", for: [.production]))
            #expect(production["verdict"]?.string?.contains("can push to production, with key PRODUCE001") == true)
            _ = try await scene.add(scene.key("FORBOTH001"))
            #expect(try await scene.sends(.development) == "DEVELOP001")
            #expect(try await scene.sends(.production) == "PRODUCE001")
            for environment in APNSEnvironment.allCases {
                try await scene.addDevice(environment.rawValue, environment)
                let message = try await scene.push(to: environment.rawValue, environment)
                _ = try await scene.verdict(Self.arrived, of: message, to: environment.rawValue)
            }
        }
    }

    @Test("What is not known yet is settled by the first push: another key sends what the first one may not, once")
    func settled() async throws {
        try await withScene { scene in
            try await scene.addUnknown(scene.key("PRODUCE001", for: [.production]), at: Date() - 60)
            try await scene.addUnknown(scene.key("DEVELOP001", for: [.development]), at: Date())
            try await scene.addDevice("p", .production)
            let message = try await scene.push(to: "p", .production)
            _ = try await scene.verdict(Self.arrived, of: message, to: "p")
            let answers = scene.gateway.statistics.answers
            #expect(
                answers.values.reduce(0, +) == 2,
                "The newer key was refused, and the other one accepted: \(answers)"
            )
            #expect(try await scene.sends(.production) == "PRODUCE001")
            #expect(try await scene.sends(.development) == "DEVELOP001")
            #expect(try await scene.stack.service.core.store.pauses(of: scene.app.id).isEmpty)
        }
    }

    @Test("A key that APNs refuses for calls pauses the calls alone; a key that covers them sends them")
    func pausedTopic() async throws {
        try await withScene { scene in
            let narrow = try scene.key("NARROWKEY1", scope: .topics(["com.example.other"]))
            scene.gateway.setBundleIDs([Stack.bundleID, "com.example.other"], ofTeam: GatewayNode.teamID)
            let team = try scene.key("TEAMKEY001")
            _ = try await scene.add(team, ["environment": "both"])
            _ = try await scene.add(narrow, ["environment": "both", "topics": [.string(Stack.bundleID + ".voip")]])
            #expect(try await scene.sends(.production, .voip) == "NARROWKEY1")
            #expect(try await scene.sends(.production) == "TEAMKEY001")
            try await scene.addDevice("p", .production)
            // The team's key covers all topics, so it takes over what the other one may not send.
            let call = try await scene.push(to: "p", .production, isCall: true)
            _ = try await scene.verdict(Self.arrived, of: call, to: "p")
            #expect(try await scene.sends(.production, .voip) == "TEAMKEY001")
        }
    }

    @Test("A key that is for calls alone: notifications wait with the reason, and the calls go on")
    func waitingTopic() async throws {
        try await withScene { scene in
            let calls = try scene.key("CALLSONLY1", scope: .topics([Stack.bundleID + ".voip"]))
            _ = try await scene.add(calls, ["environment": "both"])
            try await scene.addDevice("p", .production)
            let alert = try await scene.push(to: "p", .production)
            let sentence = try await scene.verdict(["paused"], of: alert, to: "p")
            #expect(sentence.contains("none of the app's credentials is made for this topic"), "\(sentence)")
            let call = try await scene.push(to: "p", .production, isCall: true)
            _ = try await scene.verdict(Self.arrived, of: call, to: "p")
            let store = scene.stack.service.core.store
            let paused = Destination(app: scene.app.id, environment: .production)
            #expect(try await store.pauses(of: scene.app.id).mapValues(\.detail) == [paused: "TopicDisallowed"])
            let counts = try await store.pauseCounts()
            #expect(counts.map(\.topic) == [.notification] && counts.map(\.apps) == [1])
            let shown = try await scene.client.perform(.credentialShow, ["app": .string(scene.app.key.text)])
            let verdict = shown["verdict"]?.string ?? ""
            #expect(verdict.contains("cannot push to production: APNs refuses credential"), "\(verdict)")
            #expect(verdict.contains("TopicDisallowed"), "\(verdict)")
            // A key of the team is added beside it: what waited goes out, and the calls keep their own.
            _ = try await scene.add(scene.key("TEAMKEY001"), ["environment": "both"])
            _ = try await scene.verdict(Self.arrived, of: alert, to: "p")
            #expect(try await scene.sends(.production) == "TEAMKEY001")
        }
    }

    @Test("`doctor` says one thing about each environment, for keys of every kind")
    func doctor() async throws {
        try await withScene { scene in
            func findings() async throws -> [String: Finding] {
                let examined = try await scene.client.perform(
                    .doctor(app: scene.app.key.text, device: nil, message: nil)
                )
                let findings = (try OperatorClient.read(examined) as DoctorAnswer).findings
                return Dictionary(findings.map { ($0.check, $0) }) { first, _ in first }
            }
            try await scene.addUnknown(scene.key("PRODUCE001", for: [.production]), at: Date())
            let one = try await findings()
            #expect(one["credential.production"]?.state == .ok)
            #expect(one["credential.development"]?.state == .wrong)
            let refused = one["credential.development"]?.found ?? ""
            #expect(
                refused.contains("BadEnvironmentKeyInToken") && !refused.contains("both environments"),
                "\(refused)"
            )
            let remedy = one["credential.development"]?.remedy ?? ""
            #expect(remedy.contains("beside this one"), "It does not replace the other: \(remedy)")
            _ = try await scene.add(scene.key("DEVELOP001", for: [.development]))
            let both = try await findings()
            for environment in APNSEnvironment.allCases {
                let finding = try #require(both["credential.\(environment)"])
                #expect(finding.state == .ok, "\(finding.found)")
                #expect(finding.found.contains(environment == .production ? "PRODUCE001" : "DEVELOP001"))
            }
        }
    }

    @Test("Nothing is replaced unless the operator says what: two keys of one scope, a trial of each, and a removal")
    func rotation() async throws {
        try await withScene { scene in
            let app: JSONValue = .string(scene.app.key.text)
            let old = try scene.key("OLDKEY0001")
            let first = try await scene.add(old)
            let same = try await scene.add(old)
            #expect(same["id"] == first["id"] && same["credentials"]?.array?.count == 1, "A script may run again.")
            #expect(same["note"]?.string?.contains("nothing was changed") == true)
            let again = await #expect(throws: OperatorError.self) {
                try await scene.add(scene.key("OTHERKEY01"), ["key_id": "OLDKEY0001"])
            }
            #expect(again?.code == .conflict)
            let advice = "--replace \(first["id"]?.integer ?? 0)"
            #expect(again?.message.contains(advice) == true, "\(again?.message ?? "")")
            let second = try await scene.add(scene.key("NEWKEY0001"))
            #expect(second["credentials"]?.array?.count == 2)
            #expect(try await scene.sends(.production) == "NEWKEY0001")
            for added in [first, second] {
                let id = try #require(added["id"])
                let answer = try await scene.client.perform(.credentialTest, ["app": app, "credential": id])
                let results = (answer["results"]?.array ?? []).compactMap(\.object)
                #expect(results.count == 2 && results.allSatisfy { $0["accepted"] == true && $0["credential"] == id })
            }
            let kind: JSONObject = ["app": app, "kind": "p8"]
            let several = await #expect(throws: OperatorError.self) {
                try await scene.client.perform(.credentialRemove, kind)
            }
            #expect(several?.message.contains("several keys") == true)
            let id = try #require(first["id"])
            let rest = try await scene.client.perform(.credentialRemove, ["app": app, "credential": id])
            #expect(rest["credentials"]?.array?.count == 1)
            let gone = await #expect(throws: OperatorError.self) {
                try await scene.client.perform(.credentialRemove, ["app": app, "credential": id])
            }
            #expect(gone?.code == .notFound)
            let replaced = try await scene.add(scene.key("LASTKEY001"), ["replace": try #require(second["id"])])
            #expect(replaced["credentials"]?.array?.count == 1)
            let unknown = await #expect(throws: OperatorError.self) {
                try await scene.add(scene.key("NEXTKEY001"), ["replace": id])
            }
            #expect(unknown?.code == .notFound)
        }
    }

    @Test(
        "Topics are checked before anything is stored",
        arguments: [
            ([], "0"), (["com.example other"], "topics[0]"), (["ü"], "topics[0]"),
            ([String(repeating: "a", count: 256)], "topics[0]"), (["com.example.elsewhere"], "None of the topics"),
            ((0...400).map { "com.example.t\($0)" }, "401"),
        ] as [([String], String)]
    )
    func topics(_ topics: [String], _ part: String) async throws {
        try await withScene { scene in
            let list = JSONValue.array(topics.map { .string($0) })
            let error = await #expect(throws: OperatorError.self) {
                try await scene.add(scene.key("KEYOFTOPIC"), ["topics": list])
            }
            #expect(error?.code == .badRequest && error?.message.contains(part) == true, "\(error?.message ?? "")")
            let stored = try await scene.stack.service.core.store.credentials(of: scene.app.id)
            #expect(stored.isEmpty)
        }
    }
}
