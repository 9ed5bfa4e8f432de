import APNSGateway
import APNSProvider
import AppleDeveloper
import Foundation
import PushClock
import PushModel
import TestSupport

/// A gateway with its sockets that runs, so that what faults do by the clock is done.
struct FaultyGateway {
    let world: World
    let server: GatewayServer
    let authority: GatewayAuthority

    var gateway: Gateway { world.gateway }

    static func with(
        _ world: World,
        configuration: GatewayServer.Configuration = .init(),
        _ body: @Sendable (FaultyGateway) async throws -> Void
    ) async throws {
        try await withTemporaryPath { folder in
            let authority = try GatewayAuthority(folder: folder)
            let server = try await GatewayServer.start(
                world.gateway,
                authority: authority,
                configuration: configuration
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    do { try await server.run() } catch is CancellationError {}
                }
                do {
                    try await body(FaultyGateway(world: world, server: server, authority: authority))
                } catch {
                    group.cancelAll()
                    throw error
                }
                group.cancelAll()
                try await group.waitForAll()
            }
        }
    }

    func port(_ environment: APNSEnvironment = .development) -> Int { server.port(for: environment) ?? 0 }

    /// Opens a connection, on which frames can be seen one by one, for the time of `body`.
    func provider(
        _ environment: APNSEnvironment = .development,
        _ body: (RawProvider) async throws -> Void
    ) async throws {
        let provider = try await RawProvider.connect(port: port(environment), authority: authority.pem)
        try await body(provider)
        await provider.close()
    }

    /// A client for the time of `body`.
    func client(_ body: (APNSClient) async throws -> Void) async throws {
        let endpoint = APNSEndpoint(host: "localhost", port: port(), trust: .file(authority.path ?? ""))
        let client = APNSClient(credential: .key(world.key), endpoint: endpoint, clock: world.clock)
        try await body(client)
        await client.shutdown()
    }

    func token(_ environment: APNSEnvironment = .development) -> DeviceToken {
        gateway.issueToken(topic: bundleID, environment: environment)
    }
}
