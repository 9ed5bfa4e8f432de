import APNSTransport
import AppleDeveloper
import DeviceLink
import DeviceLinkNIO
import Foundation
import NIOPosix
import PushModel
import Synchronization
import TestSupport
import Testing

@testable import APNSGateway

/// A link to a gateway on which a test says what it likes.
private final class FreeLink: Sendable {
    private let events = Mutex<(frames: [CourierFrame], isOpen: Bool, isClosed: Bool)>(([], false, false))
    private let link = Mutex<(any LinkConnection)?>(nil)

    init(to url: String, token: String? = nil) {
        let key = token.map { WebSocketDialer.Key(url: url, token: $0) }
        let dialer = WebSocketDialer(group: MultiThreadedEventLoopGroup.singleton, key: key)
        let connection = dialer.open(url) { self.hear($0) }
        link.withLock { $0 = connection }
    }

    private func hear(_ event: LinkEvent) {
        events.withLock { events in
            switch event {
            case .opened: events.isOpen = true
            case .received(let text): if let frame = try? CourierFrame(text: text) { events.frames.append(frame) }
            case .closed: events.isClosed = true
            }
        }
    }

    /// Opens a link, and says hello.
    static func open(_ url: String, _ device: String, key: String? = nil) async throws -> FreeLink {
        let link = FreeLink(to: url)
        try await eventually("the link is open") { link.isOpen }
        link.say(.hello(device: device, key: key ?? courierKey(device)))
        return link
    }

    var frames: [CourierFrame] { events.withLock(\.frames) }
    var isOpen: Bool { events.withLock(\.isOpen) }
    var isClosed: Bool { events.withLock(\.isClosed) }
    var refusal: String? {
        frames.lazy.compactMap { if case .refused(let message) = $0 { message } else { nil } }.first
    }

    func say(_ frame: CourierFrame) { link.withLock { $0?.send(frame.text) } }
    func close() { link.withLock { $0?.close() } }

    func register() async throws -> DeviceToken {
        say(.register(topic: bundleID, environment: .development))
        func token() -> DeviceToken? {
            frames.lazy.compactMap { if case .registered(_, _, let token) = $0 { token } else { nil } }.first
        }
        try await eventually("the app has its token") { token() != nil }
        return try #require(token())
    }

    /// Reports an event, and returns when it is settled.
    func report(_ number: Int64, of apnsID: String, by station: JourneyEvent.Station = .device) async throws {
        let event = JourneyEvent(date: Date(timeIntervalSince1970: 0), station: station, kind: .opened)
        say(.events([CourierEvent(number: number, apnsID: apnsID, event: event)]))
        try await eventually("the event is settled") { self.frames.contains(.eventsAck(through: number)) }
    }
}

@Suite("Device authentication", .suiteLimit)
struct CourierProofTests {
    private static func withServer(
        mail: String? = nil,
        _ body: (World, GatewayServer) async throws -> Void
    ) async throws {
        let world = try World(mail: mail)
        let server = try await GatewayServer.start(world.gateway, authority: try GatewayAuthority(folder: nil))
        do { try await body(world, server) } catch {
            await server.close()
            throw error
        }
        await server.close()
    }

    @Test("A device that is known is taken with its own key alone, over restarts too; the key is on no disk")
    func binds() async throws {
        try await withTemporaryPath { folder in
            for _ in 1...2 {
                try await Self.withServer(mail: folder) { _, server in
                    let device = try await FreeLink.open(server.courierURL, "phone")
                    let token = try await device.register()
                    let thief = try await FreeLink.open(server.courierURL, "phone", key: courierKey("thief"))
                    try await eventually("the other one is sent away") { thief.isClosed }
                    #expect(thief.refusal?.contains("'phone' is known with another key") == true)
                    #expect(!device.isClosed)
                    let again = try await FreeLink.open(server.courierURL, "phone")
                    #expect(try await again.register() == token)
                    again.close()
                }
            }
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
            #expect(!files.isEmpty)
            for file in files {
                let data = FileManager.default.contents(atPath: folder + "/" + file) ?? Data()
                #expect(data.range(of: Data(courierKey("phone").utf8)) == nil)
            }
        }
    }

    @Test("An event of a device counts if the device has seen it itself, for a push that it was sent")
    func ownEvents() async throws {
        try await withTemporaryPath { folder in
            let id = "123e4567-e89b-12d3-a456-426614174000"
            try await Self.withServer(mail: folder) { world, server in
                let device = try await FreeLink.open(server.courierURL, "phone")
                let token = try await device.register()
                let request = world.request(to: token, ["apns-id": id])
                let answer = world.respond(to: request)
                #expect(answer.status == 200)
                try await eventually("the push has come") {
                    device.frames.contains { if case .push(let push) = $0 { push.apnsID == id } else { false } }
                }
                device.say(.ack(apnsID: id))
                let other = try await FreeLink.open(server.courierURL, "other")
                _ = try await other.register()
                try await other.report(1, of: id)
                try await device.report(1, of: id, by: .gateway)
                try await device.report(2, of: "00000000-e89b-12d3-a456-426614174000")
                #expect(world.sink.all.allSatisfy { $0.event.kind != .opened })
                try await device.report(3, of: id)
                #expect(world.sink.kinds(of: id).filter { $0 == .opened }.count == 1)
            }
            // A gateway that has started again knows it by its mailbox.
            try await Self.withServer(mail: folder) { world, server in
                let device = try await FreeLink.open(server.courierURL, "phone")
                _ = try await device.register()
                try await device.report(4, of: id)
                let other = try await FreeLink.open(server.courierURL, "other")
                _ = try await other.register()
                try await other.report(2, of: id)
                #expect(world.sink.all.map(\.event.kind) == [.opened])
            }
        }
    }

    @Test("The courier port is closed to clients without its token", arguments: ["/courier", "/events"])
    func token(_ path: String) async throws {
        let world = try World()
        var configuration = GatewayServer.Configuration()
        configuration.courierToken = "a-secret-of-some-length"
        let server = try await GatewayServer.start(
            world.gateway,
            authority: try GatewayAuthority(folder: nil),
            configuration: configuration
        )
        let url = path == "/courier" ? server.courierURL : server.eventsURL
        for wrong in [nil, "another"] {
            let stranger = FreeLink(to: url, token: wrong)
            try await eventually("the stranger is sent away") { stranger.isClosed }
            #expect(!stranger.isOpen)
        }
        let known = FreeLink(to: url, token: "a-secret-of-some-length")
        try await eventually("the link is open") { known.isOpen }
        known.close()
        await server.close()
    }

    @Test(
        "Beyond the loopback the courier port wants a token",
        arguments: [
            ("127.0.0.1", nil, true), ("::1", nil, true), ("0.0.0.0", nil, false), ("192.0.2.7", nil, false),
            ("0.0.0.0", "secret", true), ("0.0.0.0", "", false), ("127.0.0.1", "", false),
            ("127.0.0.1", "two words", false),
        ] as [(String, String?, Bool)]
    )
    func loopback(_ host: String, _ token: String?, _ isFine: Bool) async throws {
        var configuration = GatewayServer.Configuration { $0.host = host }
        configuration.courierToken = token
        guard !isFine else {
            #expect(try configuration.courierAdmission().token == token)
            return
        }
        let authority = try GatewayAuthority(folder: nil)
        await #expect(throws: GatewayServer.CourierProblem.self) {
            _ = try await GatewayServer.start(try World().gateway, authority: authority, configuration: configuration)
        }
    }
}
