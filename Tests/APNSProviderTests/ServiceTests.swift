import APNSProvider
import Foundation
import Logging
import PushModel
import ServiceLifecycle
import TestSupport
import Testing

@Suite("The client as a member of an application")
struct ServiceTests {
    /// Ends its group when a push has been sent.
    private struct Sender: Service {
        let client: APNSClient
        let outcome: @Sendable (APNSOutcome) -> Void

        func run() async throws {
            let token = try #require(DeviceToken(String(repeating: "ab", count: 32)))
            let push = try APNSPush(APNSPayload(APS(alert: "Hi")), to: token, app: Example.bundleID)
            outcome(await client.send(push))
        }
    }

    @Test("A group runs a client, and ends it after its senders; then it takes no more pushes")
    func group() async throws {
        try await TestServer.with { server in
            let client = try Example.client(for: server)
            let (outcomes, place) = AsyncStream<APNSOutcome>.makeStream()
            let sender = ServiceGroupConfiguration.ServiceConfiguration(
                service: Sender(client: client) { place.yield($0) },
                successTerminationBehavior: .gracefullyShutdownGroup
            )
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(
                    services: [.init(service: client), sender],
                    logger: Logger(label: "test")
                )
            )
            try await group.run()
            place.finish()
            var found: [APNSOutcome] = []
            for await outcome in outcomes { found.append(outcome) }
            guard case .accepted? = found.first else {
                Issue.record("\(found)")
                return
            }
            let token = try #require(DeviceToken(String(repeating: "ab", count: 32)))
            let late = try APNSPush(APNSPayload(APS(alert: "Late")), to: token, app: Example.bundleID)
            guard case .failed = await client.send(late) else {
                Issue.record("A client that has ended sends nothing.")
                return
            }
            #expect(server.received.count == 1)
        }
    }

    @Test("A task that is cancelled ends the client, too")
    func cancelled() async throws {
        try await TestServer.with { server in
            let client = try Example.client(for: server)
            await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await client.run() }
                group.cancelAll()
                await #expect(throws: CancellationError.self) { try await group.next() }
            }
        }
    }

    @Test("The address of a proxy is read, and a mistake in it does not repeat the password")
    func proxies() throws {
        let endpoint = APNSEndpoint.apple(.production)
        #expect(try endpoint.through(proxy: "http://user:p%40ss@proxy.example.com:3128").host == endpoint.host)
        for wrong in ["socks5://proxy:1080", "http://proxy", "http://user:secret@proxy:0", ""] {
            let error = #expect(throws: APNSEndpoint.InvalidProxy.self) { _ = try endpoint.through(proxy: wrong) }
            #expect(
                error?.description
                    == "The address of the proxy cannot be read; expected http://HOST:PORT, or http://USER:PASSWORD@HOST:PORT."
            )
        }
    }
}
