import APNSGateway
import APNSProvider
import APNSTransport
import AppleDeveloper
import DeviceLink
import DeviceLinkNIO
import Dispatch
import Foundation
import NIOCore
import NIOPosix
import PushClock
import PushModel
import Synchronization

let gatewayRoads = [
    Road(name: "gateway", unit: "push stored", house: "gateway") { try await store($0) },
    Road(name: "courier", unit: "push delivered", house: "couriers") { try await deliver($0) },
]

/// Pushes with ids of their own to devices without a link: judged, stored in the mail log, answered.
private func store(_ meter: Meter) async throws {
    let (size, rounds) = (100, 2)
    let house = try await GatewayHouse()
    let tokens = (0..<size).map { _ in
        house.gateway.issueToken(topic: GatewayHouse.topic, environment: .production)
    }
    try await meter.measure(units: size * rounds) {
        (0..<rounds).map { _ in house.batch(to: tokens).bytes }
    } _: { batches in
        for batch in batches {
            try await house.holdingLog {
                house.provider.send(batch)
                try settle()
                // The request at the end of the batch is refused at once: all before it are judged.
                try await house.provider.refused.wait()
            }
            try await house.provider.accepted.wait(for: size)
        }
    }
    try await house.close()
}

/// Pushes to devices with a link, each of which acknowledges its push and reports an event about it.
private func deliver(_ meter: Meter) async throws {
    let (size, rounds) = (16, 3)
    let house = try await GatewayHouse()
    let texts = Arrivals()
    var links: [PlainLink] = []
    var tokens: [DeviceToken] = []
    for number in 0..<size {
        let link = try await PlainLink.open(port: house.server.courierPort, path: "/courier", texts: texts)
        let key = String(repeating: "0", count: 60) + String(1000 + number)
        let register = CourierFrame.register(topic: GatewayHouse.topic, environment: .production)
        let found = FoundToken()
        link.onText { found.note($0) }
        link.send(PlainLink.frames([CourierFrame.hello(device: "device\(number)", key: key).text, register.text]))
        try await texts.wait()
        link.onText(nil)
        tokens.append(try found.token())
        links.append(link)
    }
    var numberOfEvent: Int64 = 0
    try await meter.measure(units: size * rounds) {
        (0..<rounds).map { _ -> (bytes: ByteBuffer, replies: [ByteBuffer]) in
            let batch = house.batch(to: tokens)
            numberOfEvent += 1
            let replies = batch.ids.map { id in
                let woken = JourneyEvent(date: house.clock.date, station: .device, kind: .woken(.background))
                let event = CourierEvent(number: numberOfEvent, apnsID: id, event: woken)
                return PlainLink.frames([CourierFrame.ack(apnsID: id).text, CourierFrame.events([event]).text])
            }
            return (batch.bytes, replies)
        }
    } _: { batches in
        for batch in batches {
            try await house.holdingLog {
                house.provider.send(batch.bytes)
                try settle()
                try await house.provider.refused.wait()
                try await texts.wait(for: size)
                for (link, reply) in zip(links, batch.replies) { link.send(reply) }
                try settle()
                // The events are acknowledged.
                try await texts.wait(for: size)
            }
            try await house.provider.accepted.wait(for: size)
        }
    }
    let delivered = house.gateway.statistics.delivered
    guard delivered == 2 * size * rounds else { throw UnexpectedAnswer("\(delivered) pushes were delivered.") }
    try await house.close()
}

/// The token in the gateway's answer to a registration.
private final class FoundToken: Sendable {
    private let text = Mutex("")

    func note(_ buffer: ByteBuffer) { text.withLock { $0 = String(buffer: buffer) } }

    func token() throws -> DeviceToken {
        let text = text.withLock { $0 }
        guard case .registered(_, _, let token) = try CourierFrame(text: text) else { throw UnexpectedAnswer(text) }
        return token
    }
}

/// A gateway with a mail log and a control endpoint, so that what it records for the endpoint counts, and a provider.
private final class GatewayHouse {
    static let topic = "com.example.app"

    let clock = VirtualClock()
    let gateway: Gateway
    let server: GatewayServer
    let provider: PlainProvider
    private let folder: String
    private var requests: PlainProvider.Requests

    init() async throws {
        folder = try House.makeFolder()
        gateway = try Gateway(
            secret: [UInt8](repeating: 7, count: 32),
            mail: folder + "/mail",
            clock: clock,
            logger: silence
        )
        let generated = try ProviderKeyFile.load(
            folder + "/KEY1234567.p8",
            id: "KEY1234567",
            team: "TEAM123456",
            for: gateway
        )
        gateway.setBundleIDs([Self.topic], ofTeam: generated.teamID)
        server = try await GatewayServer.start(
            gateway,
            authority: GatewayAuthority(folder: nil),
            configuration: GatewayServer.Configuration {
                $0.developmentPort = nil
                // No ping in the middle of a road, and all the time that callgrind needs.
                $0.link = LinkConfiguration {
                    ($0.pingInterval, $0.silence, $0.openTimeout) = (.hours(1), .hours(2), .hours(1))
                    $0.unauthenticatedTime = nil
                }
                $0.control = GatewayServer.Control()
                // Nor memory that is released, and allocated again, wherever a batch takes long.
                $0.transport.restTime = .hours(1)
            },
            logger: silence
        )
        provider = try await PlainProvider.connect(port: server.port(for: .production) ?? 0)
        let key = try APNSSigningKey(p8: generated.p8, keyID: generated.id, teamID: generated.teamID)
        requests = PlainProvider.Requests(
            topic: Self.topic,
            bearer: "bearer " + (try key.token(issuedAt: clock.date)),
            payload: #"{"aps":{"alert":{"title":"Good morning","body":"Lunch is ready"},"badge":1,"sound":"default"},"#
                + #""orderId":"1234","text":"\#(String(repeating: "x", count: 120))"}"#
        )
        // The gateway takes in little before the first accepted credential.
        var first = ByteBuffer()
        requests.add(gateway.issueToken(topic: Self.topic, environment: .production), to: &first)
        provider.send(first)
        try await provider.accepted.wait()
    }

    /// Makes a push for each token and, at the end, one to a token that does not exist.
    func batch(to tokens: [DeviceToken]) -> (bytes: ByteBuffer, ids: [String]) {
        var bytes = ByteBuffer()
        let ids = tokens.map { PlainProvider.Requests.id(requests.add($0, to: &bytes)) }
        requests.add(DeviceToken(words: SIMD4(1, 2, 3, 4)), to: &bytes)
        return (bytes, ids)
    }

    /// Keeps the mail log from being written during `body`, so that it then takes all of a batch at once. Else it would be chance how
    /// many pushes share a write.
    func holdingLog(_ body: () async throws -> Void) async throws {
        let (start, end) = (Arrivals(), DispatchSemaphore(value: 0))
        // The log writes on the only thread of this pool. When this begins, it has no more to do for earlier batches.
        NIOSingletons.posixBlockingThreadPool.submit { _ in
            start.add()
            end.wait()
        }
        try await start.wait()
        defer { end.signal() }
        try await body()
    }

    func close() async throws {
        try await provider.close()
        await server.close()
        try FileManager.default.removeItem(atPath: folder)
    }
}
