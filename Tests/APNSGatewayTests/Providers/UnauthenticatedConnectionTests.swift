import APNSGateway
import APNSTransport
import AppleDeveloper
import Foundation
import PushModel
import TestSupport
import Testing

@Suite("Providers without a credential", .suiteLimit)
struct UnauthenticatedConnectionTests {
    @Test("Little is held for a connection before its first good credential", arguments: [false, true])
    func held(_ hasCredential: Bool) async throws {
        let world = try World()
        let authority = try GatewayAuthority(folder: nil)
        let server = try await GatewayServer.start(world.gateway, authority: authority)
        let provider = try await RawProvider.connect(
            port: try #require(server.port(for: .development)),
            authority: authority.pem
        )
        let token = world.issueToken()
        let bearer = hasCredential ? world.bearer : "bearer nonsense"
        provider.send(world.request(to: token, ["authorization": bearer]), stream: 1)
        #expect(await provider.wholeAnswer(on: 1).status == (hasCredential ? 200 : 403))
        let payload = String(repeating: "x", count: 4000)
        // More than 2 MiB of bodies, none of which comes to its end.
        let request = world.request(to: token, ["authorization": bearer], payload: payload)
        for number in 1...600 { provider.begin(request, stream: 1 + 2 * number) }
        if hasCredential {
            provider.send(world.request(to: token), stream: 1301)
            #expect(await provider.wholeAnswer(on: 1301).status == 200)
            #expect(provider.goAwayTexts.isEmpty)
        } else {
            try await eventually("it is sent away") { !provider.goAwayTexts.isEmpty }
            #expect(provider.goAwayTexts.first?.contains("unfinished messages") == true)
        }
        await provider.close()
        await server.close()
    }

    @Test("At the connection limit, the oldest unauthenticated connection is closed, never an authenticated one")
    func oldestMakesRoom() async throws {
        let world = try World()
        let authority = try GatewayAuthority(folder: nil)
        var configuration = GatewayServer.Configuration()
        configuration.providerSessions = 3
        let server = try await GatewayServer.start(world.gateway, authority: authority, configuration: configuration)
        let port = try #require(server.port(for: .development))
        func connect() async throws -> RawProvider {
            try await RawProvider.connect(port: port, authority: authority.pem)
        }
        let token = world.issueToken()
        let known = try await connect()
        known.send(world.request(to: token), stream: 1)
        #expect(await known.wholeAnswer(on: 1).status == 200)
        // A refused credential does not authenticate. The answer shows that the server has the connection, and so in which order.
        func connectWithoutCredential() async throws -> RawProvider {
            let provider = try await connect()
            provider.send(world.request(to: token, ["authorization": "bearer wrong"]), stream: 1)
            #expect(await provider.wholeAnswer(on: 1).status == 403)
            return provider
        }
        let oldest = try await connectWithoutCredential()
        let other = try await connectWithoutCredential()
        let newcomer = try await connect()
        newcomer.send(world.request(to: token), stream: 1)
        #expect(await newcomer.wholeAnswer(on: 1).status == 200)
        try await eventually("the oldest is closed") { !oldest.isOpen }
        #expect(other.isOpen)
        let next = try await connect()
        try await eventually("the other is closed") { !other.isOpen }
        for provider in [known, newcomer, next] {
            provider.send(world.request(to: token), stream: 3)
            #expect(await provider.wholeAnswer(on: 3).status == 200)
        }
        // All three are authenticated now.
        let late = try await connect()
        try await eventually("it is closed") { !late.isOpen }
        known.send(world.request(to: token), stream: 5)
        #expect(await known.wholeAnswer(on: 5).status == 200)
        for provider in [known, newcomer, next] { await provider.close() }
        await server.close()
    }

    @Test("Connections are counted over all ports")
    func connections() async throws {
        let world = try World()
        let authority = try GatewayAuthority(folder: nil)
        var configuration = GatewayServer.Configuration()
        configuration.providerSessions = 1
        let server = try await GatewayServer.start(world.gateway, authority: authority, configuration: configuration)
        let token = world.issueToken()
        let first = try await RawProvider.connect(
            port: try #require(server.port(for: .development)),
            authority: authority.pem
        )
        first.send(world.request(to: token), stream: 1)
        #expect(await first.wholeAnswer(on: 1).status == 200)
        let second = try await RawProvider.connect(
            port: try #require(server.port(for: .production)),
            authority: authority.pem
        )
        try await eventually("it is closed") { !second.isOpen }
        first.send(world.request(to: token), stream: 3)
        #expect(await first.wholeAnswer(on: 3).status == 200)
        await first.close()
        await server.close()
    }
}
