import NIOCore
import NIOPosix
import PushClock
import PushModel
import TestSupport
import Testing

@testable import PushAPI
@testable import PushService

@Suite("A service that is still starting", .suiteLimit)
struct StartingServerTests {
    /// A port that was free a moment ago.
    private static func freePort() async throws -> Int {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        try await listener.close()
        return port
    }

    private static func answer(_ path: String, _ port: Int) async throws -> Answer {
        try await RawConnection.open(port) { connection in
            try await connection.answer(to: "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        }
    }

    @Test("A long start is told: the service is alive, not ready, and how far it is; its port is free afterwards")
    func longStart() async throws {
        let port = try await Self.freePort()
        let clock = VirtualClock()
        let progress = ReadingProgress()
        let server = StartingServer(PushAPI.Settings { $0.port = port }, progress, clock: clock)
        let result = try await server.serve {
            try await clock.sleeper()
            await clock.advance(by: StartingServer.patience)
            try await eventually("it listens") { (try? await Self.answer("/health", port))?.status == 200 }
            progress.begin(5000)
            progress.add(3200)
            let ready = try await Self.answer("/ready?a=b", port)
            #expect(ready.status == 503)
            #expect(ready.headers["retry-after"] == "1")
            #expect(ready.text == #"{"status":"starting","devices":{"read":3200,"all":5000}}"#)
            let push = try await Self.answer("/v3/push", port)
            #expect(push.status == 503)
            #expect(push.text.contains("it has read 3200 of about 5000 devices"))
            // One more than there may be, none of which sends anything.
            var silent: [any Channel] = []
            for _ in 0...StartingServer.connections {
                let client = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                silent.append(try await client.connect(host: "127.0.0.1", port: port).get())
            }
            try await eventually("one is refused") { silent.contains { !$0.isActive } }
            #expect(silent.count(where: \.isActive) == StartingServer.connections)
            for channel in silent where channel.isActive { try await channel.close() }
            try await eventually("there is room again") { (try? await Self.answer("/health", port))?.status == 200 }
            return 7
        }
        #expect(result == 7)
        let next = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: port).get()
        try await next.close()
    }

    @Test("A short start opens no port, and an error of it is thrown")
    func shortStart() async throws {
        let clock = VirtualClock()
        let server = StartingServer(PushAPI.Settings { $0.port = 1 }, ReadingProgress(), clock: clock)
        await #expect(throws: StoreError.self) {
            try await server.serve { throw StoreError.busy }
        }
    }
}
