import APNSGateway
import AppleDeveloper
import Foundation
import PushClock
import PushModel
import TestSupport
import Testing

@Suite("The clock at the control endpoint", .suiteLimit)
struct ClockRouteTests {
    /// Runs a gateway whose clock can be turned, with its control endpoint.
    private static func withTurnableClock(
        _ body: @escaping @Sendable (Gateway, ControlClient) async throws -> Void
    ) async throws {
        let gateway = Gateway(secret: [UInt8](repeating: 7, count: 32), clock: TurnableClock())
        try await withTemporaryPath { folder in
            let port = Announcement<Int>()
            var configuration = GatewayServer.Configuration()
            configuration.control = GatewayServer.Control { port.make(.success($0)) }
            let server = try await GatewayServer.start(
                gateway,
                authority: try GatewayAuthority(folder: folder),
                configuration: configuration
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { do { try await server.run() } catch is CancellationError {} }
                group.addTask { try await body(gateway, ControlClient(port: try await port.value)) }
                _ = try await group.next()
                group.cancelAll()
                try await group.waitForAll()
            }
        }
    }

    @Test("A turn moves the date, after which a token dies at the new time")
    func turn() async throws {
        try await Self.withTurnableClock { gateway, control in
            let before = try await control("GET", "clock")
            #expect(before.status == 200)
            #expect(before.json["turned"]?.double == 0)
            let start = try #require(before.json["seconds"]?.double)
            let turned = try await control("POST", "clock", #"{"turn":3660.5}"#)
            #expect(turned.status == 200)
            #expect(turned.json["turned"]?.double == 3660.5)
            let now = try #require(turned.json["seconds"]?.double)
            #expect(now >= start + 3660.5)
            let token = gateway.issueToken(topic: "com.example.app", environment: .production)
            let dead = try await control("PUT", "tokens/\(token.hexadecimal)", #"{"state":"unregistered"}"#)
            #expect(try #require(dead.json["since"]?.integer) >= Int64(now * 1000) - 1)
        }
    }

    @Test(
        "A turn that cannot be is refused in words",
        arguments: [
            (#"{"turn":-1}"#, "Key 'turn' is -1; expected a number from 0 to 3155760000."),
            (#"{}"#, "Key 'turn' is missing; expected seconds."),
        ]
    )
    func refusals(_ body: String, _ error: String) async throws {
        try await Self.withTurnableClock { _, control in
            let answer = try await control("POST", "clock", body)
            #expect(answer.status == 400)
            #expect(answer.error == error)
        }
    }

    @Test("A clock that cannot be turned says so")
    func anotherClock() async throws {
        try await FaultyGateway.withControl(try World()) { _, control in
            #expect(try await control("GET", "clock").json["turned"]?.double == 0)
            let answer = try await control("POST", "clock", #"{"turn":1}"#)
            #expect(answer.status == 409)
            #expect(answer.error == "The clock of this gateway cannot be turned.")
        }
    }
}
