import NIOCore
import Testing

@testable import APNSTransport

@Suite("The end of a server's connection", .timeLimit(.minutes(5)))
struct FarewellTests {
    private func isLimit(_ frame: WireFrame) -> Bool {
        frame == .settings([(3, 0)])
    }

    @Test("No stream is announced and all are answered before GOAWAY: Python's h2 and node-apn drop what is open then")
    func drains() async throws {
        var configuration = APNSServer.Configuration.patient
        configuration.drainLimit = .minutes(5)
        let server = try await startServer(configuration)
        let client = try await RawClient.connect(port: server.port)
        client.send(.headers(1, WireFields.request("/later")))
        await client.settle()
        async let end: Void = server.shutDown()
        await client.log.wait { frames in
            frames.contains(where: isLimit) && frames.contains { $0.type == 6 && $0.flags == 0 }
        }
        // One that was on its way.
        client.send(.headers(3, WireFields.request("/")))
        if let ping = client.log.frames.last(where: { $0.type == 6 && $0.flags == 0 }) {
            client.send(.ping(ping.payload, ack: true))
        }
        await client.log.wait { frames in frames.contains { $0.stream == 3 } }
        #expect(client.log.goAway == nil)
        client.send(.reset(1))
        await client.log.wait { frames in frames.contains { $0.isGoAway } }
        #expect(client.log.goAway?.payload.dropFirst(8).elementsEqual(#"{"reason":"Shutdown"}"#.utf8) == true)
        await client.close()
        await end
    }

    @Test("Who does not hear it is told GOAWAY all the same, and answered")
    func deaf() async throws {
        let server = try await startServer()
        let client = try await RawClient.connect(port: server.port)
        await client.settle()
        async let end: Void = server.shutDown()
        await client.log.wait { frames in frames.contains { $0.isGoAway } }
        client.send(.headers(1, WireFields.request("/")))
        await client.log.wait { frames in frames.contains { $0.stream == 1 } }
        await client.close()
        await end
    }
}
