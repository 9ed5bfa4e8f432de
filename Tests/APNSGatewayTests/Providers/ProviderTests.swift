import APNSGateway
import APNSProvider
import APNSTransport
import AppleDeveloper
import Crypto
import Foundation
import NIOPosix
import NIOSSL
import PushClock
import PushModel
import Synchronization
import TestSupport
import Testing

@Suite("Provider client against the gateway", .suiteLimit)
struct ProviderGatewayTests {
    private func withClient(_ body: (World, APNSClient) async throws -> Void) async throws {
        try await withTemporaryPath { folder in
            let world = try World()
            let authority = try GatewayAuthority(folder: folder)
            let server = try await GatewayServer.start(world.gateway, authority: authority)
            let port = try #require(server.port(for: .development))
            let trust = APNSEndpoint.Trust.file(try #require(authority.path))
            let endpoint = APNSEndpoint(host: "localhost", port: port, trust: trust)
            let client = APNSClient(credential: .key(world.key), endpoint: endpoint, clock: world.clock)
            try await body(world, client)
            await client.shutdown()
            await server.close()
        }
    }

    @Test("aswift156_theGatewayIsRealHTTP2OverTLS: pushes reach a device")
    func sends() async throws {
        try await withClient { world, client in
            let device = FakeDevice("phone", at: world.gateway)
            let token = try device.register()
            let pushes = (0..<200).map { _ in world.push(to: token) }
            let outcomes = await send(pushes, by: client)
            #expect(outcomes.allSatisfy { $0 == .accepted })
            try await eventually("the device has its pushes") { device.pushes.count == pushes.count }
            #expect(Set(device.pushes) == Set(pushes.map { $0.id.lowercased() }))
        }
    }

    @Test("A refusal carries status, reason and the date of 410")
    func refusals() async throws {
        try await withClient { world, client in
            let token = world.issueToken()
            world.gateway.unregisterToken(token)
            let dead = await client.send(world.push(to: token))
            #expect(dead == .refused(status: 410, .unregistered, timestamp: world.clock.date))
            let unknown = await client.send(world.push(to: DeviceToken(bytes: [1])))
            #expect(unknown == .refused(status: 400, .badDeviceToken, timestamp: nil))
            try world.gateway.revoke(keyID)
            let forbidden = await client.send(world.push(to: token))
            #expect(forbidden == .refused(status: 403, .forbidden, timestamp: nil))
        }
    }

    @Test("A new provider token after 50 minutes on the clock, and pushes keep going for a day")
    func tokens() async throws {
        try await withClient { world, client in
            let token = world.issueToken()
            for _ in 0..<24 {
                #expect(await client.send(world.push(to: token)) == .accepted)
                await world.clock.advance(by: .seconds(3600))
            }
        }
    }

    @Test("A push that any APNs would refuse is not sent, and the error has its size and the limit")
    func validates() async throws {
        let world = try World()
        let client = APNSClient(
            credential: .key(world.key),
            endpoint: APNSEndpoint(host: "localhost", port: 1),
            clock: world.clock
        )
        var push = world.push(to: DeviceToken(bytes: [1]))
        push.payload = Array(repeating: 32, count: 4097)
        #expect(push.problem?.description == "The payload has 4097 bytes; 4096 are allowed for 'alert'.")
        #expect(await client.send(push) == .refused(status: 413, .payloadTooLarge, timestamp: nil))
        push.pushType = .voip
        push.topic = bundleID + ".voip"
        #expect(push.problem == nil)
        await client.shutdown()
        #expect(await client.send(push) == .failed("The client was shut down."))
    }
}

/// Sends all pushes at once; the outcomes come in the order of the pushes.
private func send(_ pushes: [APNSPush], by client: APNSClient) async -> [APNSOutcome] {
    await withTaskGroup(of: (Int, APNSOutcome).self) { group in
        for (index, push) in pushes.enumerated() {
            group.addTask { (index, await client.send(push)) }
        }
        return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
