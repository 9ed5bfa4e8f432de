import APNSTransport
import AppleDeveloper
import Crypto
import Foundation
import NIOCore
import PushClock
import PushModel
import TestSupport
import Testing

@testable import APNSGateway

/// The whole table of Apple's "Handling notification responses from APNs", read October 2026: each reason with its status,
/// without a socket and through TLS and HTTP/2.
@Suite("Each reason of APNs", .suiteLimit)
struct ReasonTests {
    /// A request before it is sent, which a row may change.
    struct Scene {
        let world: World
        let token: DeviceToken
        var request: APNSRequest
        /// Requests that go before it on the same connection.
        var before: [APNSRequest] = []

        /// Sets a field of the request, or takes it out.
        mutating func set(_ name: String, _ value: String?) {
            request.headers.removeAll { $0.name == name }
            if let value { request.headers.append((name: name, value: value)) }
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var status: Int
        var reason: String
        var why: String
        var certificate: CertificateOrder?
        var environment = APNSEnvironment.development
        var prepare: @Sendable (inout Scene) throws -> Void
        var testDescription: String { "\(status) \(reason): \(why)" }

        init(
            _ status: Int,
            _ reason: String,
            _ why: String,
            _ certificate: CertificateOrder? = nil,
            in environment: APNSEnvironment = .development,
            _ prepare: @escaping @Sendable (inout Scene) throws -> Void
        ) {
            self.status = status
            self.reason = reason
            self.why = why
            self.certificate = certificate
            self.environment = environment
            self.prepare = prepare
        }

        init(_ status: Int, _ reason: String, _ why: String, _ name: String, _ value: String?) {
            self.init(status, reason, why) { $0.set(name, value) }
        }
    }

    static let ofRequests: [Row] = [
        Row(400, "BadCollapseId", "65 bytes", "apns-collapse-id", String(repeating: "x", count: 65)),
        Row(400, "BadDeviceToken", "never issued") {
            $0.request.path = "/3/device/" + String(repeating: "0", count: 64)
        },
        Row(400, "BadDeviceToken", "odd") { $0.request.path.removeLast() },
        Row(400, "BadDeviceToken", "as old code pastes it") { $0.request.path = "/3/device/<abcd1234>" },
        Row(400, "BadDeviceToken", "not hexadecimal") { $0.request.path = "/3/device/<zz>" },
        Row(400, "BadDeviceToken", "an odd number of digits") { $0.request.path += "0" },
        Row(400, "BadDeviceToken", "of the other environment") { scene in
            let other = scene.world.gateway.issueToken(topic: bundleID, environment: .production)
            scene.request.path = "/3/device/" + other.hexadecimal
        },
        Row(400, "BadExpirationDate", "words", "apns-expiration", "tomorrow"),
        Row(400, "BadExpirationDate", "a fraction", "apns-expiration", "1.5"),
        Row(400, "BadMessageId", "no UUID", "apns-id", "1234"),
        Row(400, "BadMessageId", "no dashes", "apns-id", "00000000000000000000000000000000"),
        Row(400, "BadPriority", "seven", "apns-priority", "7"),
        Row(400, "BadPriority", "10 in the background") { scene in
            scene.set("apns-push-type", "background")
            scene.set("apns-priority", "10")
        },
        Row(400, "BadTopic", "a blank", "apns-topic", "com.example app"),
        Row(400, "BadTopic", "no suffix where the type has one", "apns-push-type", "voip"),
        Row(400, "DeviceTokenNotForTopic", "of another app of the team") { scene in
            scene.world.gateway.setBundleIDs([bundleID, "com.example.second"], ofTeam: team)
            scene.set("apns-topic", "com.example.second")
        },
        Row(400, "DeviceTokenNotForTopic", "of notifications, for a call") { scene in
            scene.set("apns-push-type", "voip")
            scene.set("apns-topic", bundleID + ".voip")
        },
        Row(400, "DuplicateHeaders", "two topics") { scene in
            scene.request.headers.append((name: "apns-topic", value: bundleID))
        },
        Row(400, "InvalidPushType", "an unknown type", "apns-push-type", "shout"),
        Row(400, "InvalidPushType", "the wrong case", "apns-push-type", "Alert"),
        Row(400, "InvalidPushType", "the topic of another type", "apns-topic", bundleID + ".voip"),
        Row(400, "MissingDeviceToken", "nothing behind the slash") { $0.request.path = "/3/device/" },
        Row(400, "MissingDeviceToken", "no slash") { $0.request.path = "/3/device" },
        Row(400, "MissingTopic", "a token stands for a team", "apns-topic", nil),
        Row(400, "PayloadEmpty", "no body") { scene in
            scene.request.body = []
            scene.request.bodyBytes = 0
        },
        Row(404, "BadPath", "another version") { $0.request.path = "/2/device/00" },
        Row(404, "BadPath", "another path") { $0.request.path = "/3/devices/00" },
        Row(404, "BadPath", "something behind the token") { $0.request.path += "/more" },
        Row(405, "MethodNotAllowed", "GET") { $0.request.method = "GET" },
        Row(410, "ExpiredToken", "old age") { $0.world.gateway.expireToken($0.token) },
        Row(410, "Unregistered", "the app is gone") { $0.world.gateway.unregisterToken($0.token) },
        Row(413, "PayloadTooLarge", "4097 bytes") { scene in
            scene.request.body = Array(repeating: 0x20, count: 4097)
            scene.request.bodyBytes = 4097
        },
        Row(500, "InternalServerError", "trouble") { $0.world.gateway.credentials.outage = .internalServerError },
        Row(503, "ServiceUnavailable", "trouble") { $0.world.gateway.credentials.outage = .serviceUnavailable },
        Row(503, "Shutdown", "trouble") { $0.world.gateway.credentials.outage = .shutdown },
    ]

    static let ofTokens: [Row] = [
        Row(400, "TopicDisallowed", "an app of nobody", "apns-topic", "com.example.other"),
        Row(400, "TopicDisallowed", "an app of another team") { scene in
            scene.world.gateway.setBundleIDs(["com.other.app"], ofTeam: "OTHERTEAM1")
            scene.set("apns-topic", "com.other.app")
        },
        Row(400, "TopicDisallowed", "an app that the key is not for") { scene in
            let key = scene.world.gateway.generateKey(id: "NARROW", team: team, scope: .topics(["com.example.second"]))
            scene.set("authorization", try scene.world.bearer(key))
        },
        Row(403, "ExpiredProviderToken", "older than an hour") { scene in
            let key = scene.world.gateway.generateKey(id: "OLD", team: team)
            scene.set("authorization", try scene.world.bearer(key, age: 3601))
        },
        Row(403, "Forbidden", "a revoked key") { try $0.world.gateway.revoke(keyID) },
        Row(403, "InvalidProviderToken", "no JSON Web Token", "authorization", "bearer nonsense"),
        Row(403, "InvalidProviderToken", "another signature") { scene in
            scene.set("authorization", String(scene.world.bearer.dropLast(12)) + "AAAAAAAAAAAA")
        },
        Row(403, "InvalidProviderToken", "an unknown key") { scene in
            let key = GeneratedKey(id: "UNKNOWN", teamID: team, p8: P256.Signing.PrivateKey().pemRepresentation)
            scene.set("authorization", try scene.world.bearer(key))
        },
        Row(403, "InvalidProviderToken", "a second team on the connection") { scene in
            let key = scene.world.gateway.generateKey(id: "STRANGER", team: "OTHERTEAM1")
            scene.before = [scene.request]
            scene.set("authorization", try scene.world.bearer(key))
        },
        Row(403, "MissingProviderToken", "none", "authorization", nil),
        Row(403, "MissingProviderToken", "an empty one", "authorization", "bearer"),
        Row(403, "MissingProviderToken", "another scheme", "authorization", "basic abc"),
        Row(403, "UnrelatedKeyIdInToken", "a key of another kind on the connection") { scene in
            let key = scene.world.gateway.generateKey(id: "NARROW", team: team, scope: .topics([bundleID]))
            scene.before = [scene.request]
            scene.set("authorization", try scene.world.bearer(key))
        },
        Row(403, "BadEnvironmentKeyInToken", "a key for production") { scene in
            let key = scene.world.gateway.generateKey(id: "PRODUCTION", team: team, environments: [.production])
            scene.set("authorization", try scene.world.bearer(key))
        },
        Row(429, "TooManyProviderTokenUpdates", "the third token in 20 minutes") { scene in
            let key = scene.world.gateway.generateKey(id: "BUSY", team: team)
            for age in [0, 1] as [TimeInterval] {
                scene.set("authorization", try scene.world.bearer(key, age: age))
                scene.before.append(scene.request)
            }
            scene.set("authorization", try scene.world.bearer(key, age: 2))
        },
    ]

    static let ofCertificates: [Row] = [
        Row(400, "MissingTopic", "a certificate for several", CertificateOrder(topics: [bundleID, bundleID + ".voip"]))
        {
            $0.set("apns-topic", nil)
        },
        Row(400, "TopicDisallowed", "not in the certificate", CertificateOrder(userID: "com.example.second")) { _ in },
        Row(
            400,
            "TopicDisallowed",
            "a type that certificates cannot do",
            CertificateOrder(topics: [bundleID, bundleID + ".location-query"])
        ) { scene in
            scene.set("apns-push-type", "location")
            scene.set("apns-topic", bundleID + ".location-query")
        },
        Row(400, "InvalidPushType", "not that of the topic", CertificateOrder(topics: [bundleID, bundleID + ".voip"])) {
            $0.set("apns-topic", bundleID + ".voip")
        },
        Row(403, "BadCertificate", "of an unknown issuer", CertificateOrder(issuer: .stranger)) { _ in },
        Row(403, "BadCertificate", "for servers", CertificateOrder(isForServers: true)) { _ in },
        Row(
            403,
            "BadCertificate",
            "expired",
            CertificateOrder(notValidAfter: Date(timeIntervalSince1970: 1_760_000_000))
        ) { _ in },
        Row(403, "BadCertificate", "revoked", CertificateOrder()) {
            $0.world.gateway.credentials.revokeCertificate(CertificateOrder.serialNumber)
        },
        Row(403, "BadCertificateEnvironment", "for production", CertificateOrder(environments: [.production])) { _ in },
        Row(
            403,
            "BadCertificateEnvironment",
            "for development",
            CertificateOrder(environments: [.development]),
            in: .production
        ) { _ in },
    ]

    static let rows = ofRequests + ofTokens + ofCertificates

    private func scene(of row: Row) throws -> Scene {
        let world = try World()
        let token = world.gateway.issueToken(topic: bundleID, environment: row.environment)
        var scene = Scene(world: world, token: token, request: world.request(to: token))
        try row.prepare(&scene)
        return scene
    }

    private func check(_ answer: APNSAnswer, _ row: Row) {
        #expect(answer.status == row.status)
        #expect(answer.reason == row.reason)
        let timestamp = (try? JSONValue(parsing: answer.body))?.object?["timestamp"]?.integer
        #expect((timestamp != nil) == (row.status == 410))
        #expect(answer.header("content-type") == "application/json")
        #expect(answer.header("apns-id") != nil)
    }

    @Test("Without a socket", arguments: rows)
    func judges(_ row: Row) throws {
        let scene = try scene(of: row)
        let facts = row.certificate?.facts
        let connection = ProviderConnection(environment: row.environment) { facts }
        for request in scene.before { #expect(scene.world.gateway.respond(to: request, on: connection).status == 200) }
        check(scene.world.gateway.respond(to: scene.request, on: connection), row)
    }

    @Test("Over TLS and HTTP/2", arguments: rows)
    func answers(_ row: Row) async throws {
        let scene = try scene(of: row)
        try await withTemporaryPath { folder in
            let authority = try GatewayAuthority(folder: folder)
            let server = try await GatewayServer.start(scene.world.gateway, authority: authority)
            let identity = try row.certificate.map { order in
                let maker = order.issuer == .gateway ? try CertificateMaker(folder: folder) : CertificateMaker()
                return try maker.make(order)
            }
            let port = try #require(server.port(for: row.environment))
            let provider = try await RawProvider.connect(port: port, authority: authority.pem, identity: identity)
            var stream = 1
            for request in scene.before {
                provider.send(request, stream: stream)
                #expect(await provider.wholeAnswer(on: stream).status == 200)
                stream += 2
            }
            provider.send(scene.request, stream: stream)
            check(await provider.wholeAnswer(on: stream), row)
            #expect(provider.isOpen)
            await provider.close()
            await server.close()
        }
    }

    @Test("IdleTimeout comes with GOAWAY")
    func idleTimeout() async throws {
        let authority = try GatewayAuthority(folder: nil)
        var configuration = GatewayServer.Configuration()
        // Longer than a TLS handshake takes in a process with much to do: a client that is told to go before it has said hello
        // may not hear it.
        configuration.transport.idleLimit = .seconds(5)
        let server = try await GatewayServer.start(
            try World().gateway,
            authority: authority,
            configuration: configuration
        )
        let port = try #require(server.port(for: .development))
        let provider = try await RawProvider.connect(port: port, authority: authority.pem)
        try await eventually("the connection is closed") { !provider.goAwayTexts.isEmpty || !provider.isOpen }
        #expect(provider.goAwayTexts == [#"{"reason":"IdleTimeout"}"#])
        await provider.close()
        await server.close()
    }

    @Test("The table is whole")
    func isWhole() {
        let all: Set<APNSReason> = [
            .badCollapseId, .badDeviceToken, .badExpirationDate, .badMessageId, .badPriority, .badTopic,
            .deviceTokenNotForTopic, .duplicateHeaders, .invalidPushType, .missingDeviceToken, .missingTopic,
            .payloadEmpty, .topicDisallowed, .badCertificate, .badCertificateEnvironment, .expiredProviderToken,
            .forbidden, .invalidProviderToken, .missingProviderToken, .unrelatedKeyIdInToken,
            .badEnvironmentKeyInToken, .badPath, .methodNotAllowed, .expiredToken, .unregistered, .payloadTooLarge,
            .tooManyProviderTokenUpdates, .internalServerError, .serviceUnavailable, .shutdown,
        ]
        #expect(Set(Self.rows.map { APNSReason(rawValue: $0.reason) }) == all)
        for row in Self.rows { #expect(APNSReason(rawValue: row.reason).status == row.status) }
    }

    @Test("A key of the other environment can be refused as Apple's page spells it")
    func spelling() throws {
        var rules = GatewayRules()
        rules.spellsReasonsAsDocumented = true
        let world = try World(rules: rules)
        let key = world.gateway.generateKey(id: "PRODUCTION", team: team, environments: [.production])
        let token = world.issueToken()
        let request = world.request(to: token, ["authorization": try world.bearer(key)])
        let answer = world.respond(to: request)
        #expect(answer.status == 403)
        #expect(answer.reason == "BadEnvironmentKeyIdInToken")
    }

    @Test("An outage ends for connections that were there before it")
    func outage() throws {
        let world = try World()
        let connection = ProviderConnection(environment: .development)
        let token = world.issueToken()
        var statuses: [Int] = []
        for reason in [nil, .serviceUnavailable, nil] as [APNSReason?] {
            world.gateway.credentials.outage = reason
            statuses.append(world.gateway.respond(to: world.request(to: token), on: connection).status)
        }
        #expect(statuses == [200, 503, 200])
    }
}
