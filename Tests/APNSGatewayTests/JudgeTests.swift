import APNSProvider
import APNSTransport
import Crypto
import DeviceLink
import Foundation
import PushClock
import PushModel
import TestSupport
import Testing

@testable import APNSGateway

@Suite("Judgement of a request")
struct JudgeTests {
    @Test("A provider token of no characters is a missing one")
    func emptyToken() throws {
        let world = try World()
        let token = world.issueToken()
        let request = world.request(to: token, ["authorization": "bearer "])
        let answer = world.respond(to: request)
        #expect(answer.reason == "MissingProviderToken")
    }

    @Test("Each header of a push may occur once", arguments: PushHeader.allCases)
    func refusesRepetition(_ header: PushHeader) throws {
        let world = try World()
        let token = world.gateway.issueToken(topic: bundleID, environment: .development)
        var request = world.request(to: token)
        let field = (name: FieldCatalog.shared.text(of: header.field), value: "1")
        request.headers += [field, field]
        let answer = world.gateway.respond(to: request, on: ProviderConnection(environment: .development))
        #expect(answer.reason == "DuplicateHeaders")
    }

    @Test(
        "Slightly unusual requests are accepted",
        arguments: [
            ["apns-push-type": nil], ["apns-priority": "1"], ["apns-expiration": "0"], ["apns-expiration": "-1"],
            ["apns-expiration": "9223372036854775807"], ["apns-collapse-id": String(repeating: "x", count: 64)],
            ["apns-push-type": "pushtotalk", "apns-topic": bundleID + ".voip-ptt"], ["user-agent": "x"],
            ["apns-push-type": "accessory", "apns-topic": bundleID + ".push-type.accessory"],
            ["apns-push-type": "nowplaying", "apns-topic": bundleID + ".push-type.nowplaying"],
        ] as [[String: String?]]
    )
    func accepts(_ fields: [String: String?]) throws {
        let world = try World()
        let token = world.issueToken()
        let request = world.request(to: token, fields)
        #expect(world.respond(to: request).status == 200)
    }

    @Test(
        "PyAPNs2 #87, pushy #719: an app's own types with the topic of another type are an invalid push type",
        arguments: ["alert", "background"],
        APNSPushType.suffixed
    )
    func pyapns87_ownTypeToAnotherTopic(_ type: String, _ other: APNSPushType) throws {
        let world = try World()
        let topic = other.topic(of: bundleID)
        let token = world.gateway.issueToken(topic: topic, environment: .development)
        let request = world.request(to: token, ["apns-push-type": type, "apns-topic": topic])
        let answer = world.respond(to: request)
        #expect(answer.status == 400)
        #expect(answer.reason == "InvalidPushType")
    }

    @Test("apnotic #87: so it is with a VoIP certificate and no topic")
    func apnotic87_alertWithVoIPCertificate() throws {
        let world = try World()
        let facts = CertificateOrder(topics: [bundleID + ".voip"]).facts
        let connection = ProviderConnection(environment: .development) { facts }
        let token = world.gateway.issueToken(topic: bundleID + ".voip", environment: .development)
        let fields: [String: String?] = ["authorization": nil, "apns-topic": nil]
        #expect(world.gateway.respond(to: world.request(to: token, fields), on: connection).reason == "InvalidPushType")
        let untyped = fields.merging(["apns-push-type": nil]) { $1 }
        #expect(world.gateway.respond(to: world.request(to: token, untyped), on: connection).status == 200)
    }

    @Test("PyAPNs2 #87: without a push type the suffix of the topic decides", arguments: APNSPushType.suffixed)
    func pyapns87_untypedSuffix(_ type: APNSPushType) throws {
        let world = try World()
        let device = FakeDevice("phone", at: world.gateway)
        let token = try device.register(type.topic(of: bundleID))
        let connection = ProviderConnection(environment: .development)
        let fields: [String: String?] = ["apns-push-type": nil, "apns-topic": type.topic(of: bundleID)]
        // The second time by the permit of the first.
        for _ in 0..<2 {
            #expect(world.gateway.respond(to: world.request(to: token, fields), on: connection).status == 200)
        }
        #expect(device.received.map(\.pushType) == [type, type])
        // Calls have their limit with and without the header, which came later.
        var large = world.request(to: token, fields)
        large.bodyBytes = type == .voip ? 5120 : 4096
        #expect(world.gateway.respond(to: large, on: connection).status == 200)
        large.bodyBytes = type == .voip ? 5121 : 4097
        #expect(world.gateway.respond(to: large, on: connection).reason == "PayloadTooLarge")
    }

    @Test(
        "dotAPNS #90: a bundle id may end in a suffix; the topics that were issued decide",
        arguments: APNSPushType.suffixed
    )
    func dotapns90_bundleIDWithSuffix(_ type: APNSPushType) throws {
        let topic = type.topic(of: "com.example")
        let world = try World()
        world.gateway.setBundleIDs(nil, ofTeam: team)
        let device = FakeDevice("phone", at: world.gateway)
        let token = try device.register(topic)
        func statuses() -> [Int] {
            let connection = ProviderConnection(environment: .development)
            return ["alert", "background", nil].map { type in
                let fields = ["apns-push-type": type, "apns-topic": topic, "apns-priority": "5"]
                return world.gateway.respond(to: world.request(to: token, fields), on: connection).status
            }
        }
        #expect(statuses() == [200, 200, 200])
        #expect(device.received.map(\.pushType) == [.alert, .background, nil])
        // An app without the suffix has a topic of the type.
        _ = world.gateway.issueToken(topic: "com.example", environment: .development)
        #expect(statuses() == [400, 400, 200])
        #expect(device.received.last?.pushType == type)
        // Unless a team says that both are apps.
        world.gateway.setBundleIDs(["com.example", topic], ofTeam: team)
        #expect(statuses() == [200, 200, 200])
    }

    @Test("The topics that were issued are known after a restart, those with a name left out")
    func issuedTopics() async throws {
        try await withTemporaryPath { folder in
            let topic = "com.example.voip"
            func status(_ world: World, _ token: DeviceToken, _ topic: String) -> Int {
                world.gateway.setBundleIDs(nil, ofTeam: team)
                let request = world.request(to: token, ["apns-topic": topic])
                return world.respond(to: request).status
            }
            let first = try World(mail: folder)
            let token = first.gateway.issueToken(topic: topic, environment: .development)
            let named = first.gateway.issueToken(topic: "com.other.voip/NAME", environment: .development)
            #expect(status(first, token, topic) == 200)
            #expect(status(first, named, "com.other.voip") == 400)
            await first.gateway.flush()
            let second = try World(mail: folder, clock: first.clock)
            #expect(status(second, token, topic) == 200)
        }
    }

    @Test("A push to the app's own topic without a push type reaches the device as it is")
    func untyped() throws {
        let world = try World()
        let device = FakeDevice("phone", at: world.gateway)
        let token = try device.register()
        let connection = ProviderConnection(environment: .development)
        for priority in ["5", nil] {
            let request = world.request(to: token, ["apns-push-type": nil, "apns-priority": priority])
            #expect(world.gateway.respond(to: request, on: connection).status == 200)
        }
        #expect(device.received.map(\.pushType) == [nil, nil])
        #expect(device.received.map(\.priority) == [5, 10])
    }

    @Test("Echoes apns-id byte for byte, on success and on errors, and makes one up when it is missing")
    func echoes() throws {
        let world = try World()
        let token = world.issueToken()
        let connection = ProviderConnection(environment: .development)
        let id = "ABCDEF00-1111-2222-3333-44445555AbCd"
        let good = world.gateway.respond(to: world.request(to: token, ["apns-id": id]), on: connection)
        #expect(good.header("apns-id") == id)
        let bad = world.request(to: token, ["apns-id": id, "apns-priority": "3"])
        #expect(world.gateway.respond(to: bad, on: connection).header("apns-id") == id)
        let without = world.gateway.respond(to: world.request(to: token), on: connection)
        #expect(UUID(uuidString: without.header("apns-id") ?? "") != nil)
        #expect(UUID(uuidString: without.header("apns-unique-id") ?? "") != nil)
    }

    @Test("A token of the other environment is a bad one, and one of another app is not for the topic")
    func pairing() throws {
        let world = try World()
        world.gateway.setBundleIDs([bundleID, "com.example.second"], ofTeam: team)
        let token = world.issueToken()
        let request = world.request(to: token)
        let production = world.gateway.respond(to: request, on: ProviderConnection(environment: .production))
        #expect(production.reason == "BadDeviceToken")
        #expect(production.header("apns-unique-id") == nil)
        let other = world.request(to: token, ["apns-topic": "com.example.second"])
        let answer = world.respond(to: other)
        #expect(answer.reason == "DeviceTokenNotForTopic")
    }

    @Test("A token for notifications is not for calls, nor PushKit's for notifications")
    func calls() throws {
        let world = try World()
        let connection = ProviderConnection(environment: .development)
        let call = ["apns-push-type": "voip", "apns-topic": bundleID + ".voip"]
        let notifications = world.issueToken()
        let refused = world.gateway.respond(to: world.request(to: notifications, call), on: connection)
        #expect(refused.status == 400)
        #expect(refused.reason == "DeviceTokenNotForTopic")
        let calls = world.gateway.issueToken(topic: bundleID + ".voip", environment: .development)
        #expect(world.gateway.respond(to: world.request(to: calls, call), on: connection).status == 200)
        let alert = world.gateway.respond(to: world.request(to: calls), on: connection)
        #expect(alert.reason == "DeviceTokenNotForTopic")
        // Live Activities and the other types with a suffix stay with the app's token.
        let activity = ["apns-push-type": "liveactivity", "apns-topic": bundleID + ".push-type.liveactivity"]
        #expect(world.gateway.respond(to: world.request(to: notifications, activity), on: connection).status == 200)
    }

    @Test("A dead token is answered with 410 and the moment of its death in milliseconds")
    func unregistered() throws {
        let world = try World()
        let token = world.issueToken()
        world.gateway.unregisterToken(token)
        let request = world.request(to: token)
        let answer = world.respond(to: request)
        #expect(answer.status == 410)
        #expect(String(decoding: answer.body, as: UTF8.self) == #"{"reason":"Unregistered","timestamp":1767254400000}"#)
    }

    @Test("Provider tokens live for an hour; five minutes ahead are forgiven")
    func age() throws {
        let world = try World()
        let token = world.issueToken()
        func reason(_ offset: TimeInterval) throws -> String? {
            let bearer = "bearer " + (try world.key.token(issuedAt: world.clock.date.addingTimeInterval(offset)))
            let request = world.request(to: token, ["authorization": bearer])
            return world.respond(to: request).reason
        }
        #expect(try reason(-3600) == nil)
        #expect(try reason(-3601) == "ExpiredProviderToken")
        #expect(try reason(300) == nil)
        #expect(try reason(301) == "InvalidProviderToken")
    }

    @Test("A revoked key is forbidden, an unknown one invalid, one of the other environment says so")
    func keys() throws {
        let world = try World()
        let token = world.issueToken()
        func reason(_ key: GeneratedKey) throws -> String? {
            let signing = try APNSSigningKey(p8: key.p8, keyID: key.id, teamID: key.teamID)
            let bearer = "BEARER " + (try signing.token(issuedAt: world.clock.date))
            let request = world.request(to: token, ["authorization": bearer])
            return world.respond(to: request).reason
        }
        let key = world.gateway.generateKey(id: "REVOKED", team: team)
        #expect(try reason(key) == nil)
        try world.gateway.revoke("REVOKED")
        #expect(try reason(key) == "Forbidden")
        let production = world.gateway.generateKey(id: "PRODUCTION", team: team, environments: [.production])
        #expect(try reason(production) == "BadEnvironmentKeyInToken")
        let narrow = world.gateway.generateKey(id: "NARROW", team: team, scope: .topics(["com.example.second"]))
        #expect(try reason(narrow) == "TopicDisallowed")
        let unknown = GeneratedKey(id: "UNKNOWN", teamID: team, p8: P256.Signing.PrivateKey().pemRepresentation)
        #expect(try reason(unknown) == "InvalidProviderToken")
        #expect(try reason(GeneratedKey(id: key.id, teamID: "OTHER", p8: key.p8)) == "InvalidProviderToken")
    }

    @Test("A connection belongs to the team and the kind of key of its first good token")
    func binding() throws {
        let world = try World()
        let token = world.issueToken()
        let connection = ProviderConnection(environment: .development)
        func reason(_ key: GeneratedKey) throws -> String? {
            let signing = try APNSSigningKey(p8: key.p8, keyID: key.id, teamID: key.teamID)
            let bearer = "bearer " + (try signing.token(issuedAt: world.clock.date))
            let request = world.request(to: token, ["authorization": bearer])
            return world.gateway.respond(to: request, on: connection).reason
        }
        let stranger = world.gateway.generateKey(id: "STRANGER", team: "OTHERTEAM1")
        let narrow = world.gateway.generateKey(id: "NARROW", team: team, scope: .topics([bundleID]))
        let second = world.gateway.generateKey(id: "SECOND", team: team)
        let request = world.request(to: token, ["authorization": "bearer nonsense"])
        #expect(world.gateway.respond(to: request, on: connection).status == 403)
        #expect(world.gateway.respond(to: world.request(to: token), on: connection).status == 200)
        #expect(try reason(stranger) == "InvalidProviderToken")
        #expect(try reason(narrow) == "UnrelatedKeyIdInToken")
        #expect(try reason(second) == nil)
    }

    @Test("The third new token within 20 minutes is one too many; those before stay usable")
    func updates() async throws {
        let world = try World()
        let token = world.issueToken()
        let connection = ProviderConnection(environment: .development)
        let requests = try (0..<3).map { _ in
            world.request(to: token, ["authorization": "bearer " + (try world.key.token(issuedAt: world.clock.date))])
        }
        let reasons = requests.map { world.gateway.respond(to: $0, on: connection).reason }
        #expect(reasons == [nil, nil, "TooManyProviderTokenUpdates"])
        #expect(world.gateway.respond(to: requests[0], on: connection).status == 200)
        await world.clock.advance(by: .seconds(20 * 60))
        #expect(world.gateway.respond(to: requests[2], on: connection).status == 200)
    }

    @Test("Takes a signature in ASN.1 DER and iat as a string, as real libraries send them", arguments: [true, false])
    func tolerance(_ isDER: Bool) throws {
        let world = try World()
        let key = P256.Signing.PrivateKey()
        world.gateway.addKey(GatewayKey(id: "OWN", teamID: team, publicKey: key.publicKey))
        let iat = Int(world.clock.date.timeIntervalSince1970)
        let header = #"{ "typ": "JWT", "alg": "ES256", "kid": "OWN" }"#
        let claims = #"{"iss":"\#(team)","iat":"\#(iat)","exp":1,"kid":"OWN"}"#
        func base64URL(_ data: Data) -> String {
            data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        let signed = base64URL(Data(header.utf8)) + "." + base64URL(Data(claims.utf8))
        let signature = try key.signature(for: Data(signed.utf8))
        let bytes = isDER ? signature.derRepresentation : signature.rawRepresentation
        let token = world.issueToken()
        let request = world.request(to: token, ["authorization": "bearer \(signed).\(base64URL(bytes))"])
        #expect(world.respond(to: request).status == 200)
    }
}
