import APNSProvider
import APNSTransport
import AppleDeveloper
import DeviceLink
import Foundation
import PushClock
import PushModel
import TestSupport
import Testing

@testable import APNSGateway

@Suite("Client certificates of providers", .suiteLimit)
struct ProviderCertificateTests {
    /// The parts that a test works with.
    private struct Scene {
        let world: World
        let server: GatewayServer
        let authority: GatewayAuthority
        let maker: CertificateMaker

        func connect(
            _ identity: (certificate: String, key: String)?,
            to environment: APNSEnvironment = .development,
            alpn: [String] = []
        ) async throws -> RawProvider {
            let port = try #require(server.port(for: environment))
            return try await RawProvider.connect(port: port, authority: authority.pem, alpn: alpn, identity: identity)
        }
    }

    private func withScene(
        _ configuration: GatewayServer.Configuration = GatewayServer.Configuration(),
        _ body: (Scene) async throws -> Void
    ) async throws {
        try await withTemporaryPath { folder in
            let world = try World()
            let authority = try GatewayAuthority(folder: folder)
            let server = try await GatewayServer.start(
                world.gateway,
                authority: authority,
                configuration: configuration
            )
            let maker = try CertificateMaker(folder: folder)
            try await body(Scene(world: world, server: server, authority: authority, maker: maker))
            await server.close()
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var hasToken: Bool
        var hasCertificate: Bool
        var reason: String?
        var testDescription: String { "token: \(hasToken), certificate: \(hasCertificate)" }
    }

    @Test(
        "Neither, token, certificate and both, on one port",
        arguments: [
            Case(hasToken: false, hasCertificate: false, reason: "MissingProviderToken"),
            Case(hasToken: true, hasCertificate: false),
            Case(hasToken: false, hasCertificate: true),
            Case(hasToken: true, hasCertificate: true),
        ],
        [[], ["h2"]]
    )
    func credentials(_ shown: Case, _ alpn: [String]) async throws {
        try await withScene { scene in
            let identity = shown.hasCertificate ? try scene.maker.make(CertificateOrder()) : nil
            let provider = try await scene.connect(identity, alpn: alpn)
            let token = scene.world.issueToken()
            let fields: [String: String?] = shown.hasToken ? [:] : ["authorization": nil]
            for stream in [1, 3] {
                provider.send(scene.world.request(to: token, fields), stream: stream)
                let answer = await provider.wholeAnswer(on: stream)
                #expect(answer.reason == shown.reason)
                #expect(answer.status == (shown.reason == nil ? 200 : 403))
            }
            await provider.close()
        }
    }

    @Test("With a certificate the provider token is ignored, whatever it is")
    func ignoresToken() async throws {
        try await withScene { scene in
            let provider = try await scene.connect(try scene.maker.make(CertificateOrder()))
            let token = scene.world.issueToken()
            provider.send(scene.world.request(to: token, ["authorization": "bearer nonsense"]), stream: 1)
            #expect(await provider.wholeAnswer(on: 1).status == 200)
            await provider.close()
        }
    }

    @Test("A certificate for one topic lends it to a push that names none")
    func onlyTopic() throws {
        let world = try World()
        let device = FakeDevice("phone", at: world.gateway)
        let token = try device.register()
        let connection = ProviderConnection(environment: .development) { CertificateOrder().facts }
        for _ in 0..<2 {
            let request = world.request(to: token, ["authorization": nil, "apns-topic": nil])
            #expect(world.gateway.respond(to: request, on: connection).status == 200)
        }
        let topics = device.frames.compactMap { frame -> String? in
            if case .push(let push) = frame { push.topic } else { nil }
        }
        #expect(topics == [bundleID, bundleID])
    }

    @Test("A certificate that lists topics speaks for each of them, and for no other")
    func topics() throws {
        let world = try World()
        let notifications = world.issueToken()
        let calls = world.gateway.issueToken(topic: bundleID + ".voip", environment: .development)
        let facts = CertificateOrder(topics: [bundleID, bundleID + ".voip"]).facts
        let connection = ProviderConnection(environment: .development) { facts }
        func reason(_ type: String, _ topic: String) -> String? {
            let fields = ["authorization": nil, "apns-push-type": type, "apns-topic": topic]
            let token = type == "voip" ? calls : notifications
            return world.gateway.respond(to: world.request(to: token, fields), on: connection).reason
        }
        #expect(reason("alert", bundleID) == nil)
        #expect(reason("voip", bundleID + ".voip") == nil)
        #expect(reason("complication", bundleID + ".complication") == "TopicDisallowed")
        #expect(reason("voip", "com.example.second.voip") == "TopicDisallowed")
    }

    @Test("The certificate is asked for once, and revoked or expired in the middle of a connection")
    func ends() async throws {
        let world = try World()
        let token = world.issueToken()
        let end = world.clock.date.addingTimeInterval(60)
        let facts = CertificateOrder(notValidAfter: end).facts
        let connection = ProviderConnection(environment: .development) { facts }
        let other = ProviderConnection(environment: .development) { CertificateOrder().facts }
        func reason(_ connection: ProviderConnection) -> String? {
            world.gateway.respond(to: world.request(to: token), on: connection).reason
        }
        #expect(reason(connection) == nil)
        await world.clock.advance(by: .seconds(60))
        #expect(reason(connection) == "BadCertificate")
        #expect(reason(other) == nil)
        world.gateway.credentials.revokeCertificate(CertificateOrder.serialNumber)
        #expect(reason(other) == "BadCertificate")
    }

    @Test("Authorities can be added by a setting; one that says nothing of environments is for both")
    func otherAuthority() async throws {
        let stranger = CertificateMaker()
        var configuration = GatewayServer.Configuration()
        configuration.providerAuthorities = try stranger.pem()
        try await withScene(configuration) { scene in
            for (maker, environment) in [(stranger, APNSEnvironment.production), (scene.maker, .development)] {
                let identity = try maker.make(CertificateOrder(environments: []))
                let provider = try await scene.connect(identity, to: environment)
                let token = scene.world.gateway.issueToken(topic: bundleID, environment: environment)
                provider.send(scene.world.request(to: token, ["authorization": nil]), stream: 1)
                #expect(await provider.wholeAnswer(on: 1).status == 200)
                await provider.close()
            }
        }
    }

    @Test(
        "A text that names no authorities is refused with what was found",
        arguments: [
            ("", "it is empty"), ("certificates", "it is not PEM"),
            ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "it holds a private key"),
            ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "certificate 1 in it cannot be read"),
            ("-----BEGIN CERTIFICATE-----\nAAAA\n", "it is broken PEM"),
        ]
    )
    func noAuthorities(_ pem: String, _ found: String) async throws {
        let gateway = try World().gateway
        let configuration = GatewayServer.Configuration { $0.providerAuthorities = pem }
        let error = await #expect(throws: ProviderAuthorities.Problem.self) {
            _ = try await GatewayServer.start(
                gateway,
                authority: try GatewayAuthority(folder: nil),
                configuration: configuration
            )
        }
        #expect(error?.description == found + "; expected PEM with one '-----BEGIN CERTIFICATE-----' or more.")
    }

    @Test("Whether a certificate is revoked is asked at its first push on a connection")
    func revoked() async throws {
        let serialNumber = CertificateOrder.serialNumber
        let configuration = GatewayServer.Configuration { $0.isRevoked = { $0 == serialNumber } }
        try await withScene(configuration) { scene in
            let provider = try await scene.connect(try scene.maker.make(CertificateOrder()))
            let token = scene.world.issueToken()
            provider.send(scene.world.request(to: token), stream: 1)
            #expect(await provider.wholeAnswer(on: 1).reason == "BadCertificate")
            await provider.close()
        }
    }

    @Test(
        "The provider client pushes with a certificate that lists topics, and is told of one for the other environment"
    )
    func client() async throws {
        try await withScene { scene in
            let order = CertificateOrder(topics: [bundleID, bundleID + ".voip"], environments: [.development])
            let identity = try scene.maker.make(order)
            let certificate = try APNSCertificate(pem: identity.certificate, key: identity.key)
            #expect(certificate.topics == order.topics)
            let trust = APNSEndpoint.Trust.file(try #require(scene.authority.path))
            for environment in APNSEnvironment.allCases {
                let port = try #require(scene.server.port(for: environment))
                let client = APNSClient(
                    credential: .certificate(certificate),
                    endpoint: APNSEndpoint(host: "localhost", port: port, trust: trust),
                    clock: scene.world.clock
                )
                let token = scene.world.gateway.issueToken(topic: bundleID, environment: environment)
                let outcome = await client.send(scene.world.push(to: token))
                let refusal = APNSOutcome.refused(status: 403, .badCertificateEnvironment, timestamp: nil)
                #expect(outcome == (environment == .development ? .accepted : refusal))
                await client.shutdown()
            }
        }
    }

    @Test("Strict mode takes more streams than it announces: aioapns opens them before it has read anything")
    func strictTakesMore() async throws {
        try await withScene(GatewayServer.Configuration { $0.isStrict = true }) { scene in
            let token = scene.world.issueToken()
            let provider = try await RawProvider.connect(
                port: try #require(scene.server.port(for: .development)),
                authority: scene.authority.pem,
                opening: Array(repeating: scene.world.request(to: token), count: 20)
            )
            for number in 0..<20 { #expect(await provider.wholeAnswer(on: 1 + 2 * number).status == 200) }
            try await eventually("the stream limit is announced") { provider.streamLimits == [1, 1000] }
            await provider.close()
        }
    }

    @Test("Strict mode raises the limit of streams after the first good credential", arguments: [true, false])
    func strict(_ hasCertificate: Bool) async throws {
        try await withScene(GatewayServer.Configuration { $0.isStrict = true }) { scene in
            let provider = try await scene.connect(hasCertificate ? try scene.maker.make(CertificateOrder()) : nil)
            try await eventually("the stream limit is announced") { !provider.streamLimits.isEmpty }
            #expect(provider.streamLimits == [1])
            let token = scene.world.issueToken()
            if !hasCertificate {
                provider.send(scene.world.request(to: token, ["authorization": "bearer nonsense"]), stream: 1)
                #expect(await provider.wholeAnswer(on: 1).status == 403)
                #expect(provider.streamLimits == [1])
            }
            provider.send(scene.world.request(to: token, ["apns-priority": "3"]), stream: 3)
            #expect(await provider.wholeAnswer(on: 3).status == 400)
            try await eventually("the stream limit is announced") { provider.streamLimits.count == 2 }
            #expect(provider.streamLimits == [1, 1000])
            for stream in [5, 7, 9] { provider.send(scene.world.request(to: token), stream: stream) }
            for stream in [5, 7, 9] { #expect(await provider.wholeAnswer(on: stream).status == 200) }
            await provider.close()
        }
    }
}
