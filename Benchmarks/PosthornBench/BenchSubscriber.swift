import APNSProvider
import ArgumentParser
import DeviceLink
import DeviceLinkNIO
import NIOPosix
import PushModel
import Synchronization

/// Subscribes very many devices one after the other over one link: a link may say hello as another device.
enum BenchSubscriber {
    /// The number of devices between two answers, so that nothing piles up.
    private static let step = 1000

    static func subscribe(
        _ count: Int,
        to channel: APNSChannelID,
        at gateway: BenchGateway,
        progress: (Int) -> Void
    ) async throws {
        let (answers, continuation) = AsyncStream<LinkEvent>.makeStream()
        let dialer = WebSocketDialer(group: MultiThreadedEventLoopGroup.singleton)
        let connection = dialer.open(gateway.courier) { continuation.yield($0) }
        defer { connection.close() }
        var events = answers.makeAsyncIterator()
        try await expect(&events) { if case .opened = $0 { true } else { false } }
        var random = SplitMix(seed: 1)
        for start in stride(from: 0, to: count, by: step) {
            progress(start)
            for _ in start..<min(start + step, count) {
                let device = random.hexadecimalDigits(32)
                connection.send(CourierFrame.hello(device: device, key: random.hexadecimalDigits(64)).text)
                let topic = BenchGateway.topic
                connection.send(
                    CourierFrame.subscribe(topic: topic, environment: .production, channel: channel.rawValue).text
                )
            }
            // Answered after everything before it.
            connection.send(CourierFrame.register(topic: BenchGateway.topic, environment: .production).text)
            try await expect(&events) { event in
                guard case .received(let text) = event, case .registered = try? CourierFrame(text: text) else {
                    return false
                }
                return true
            }
        }
    }

    private static func expect(
        _ events: inout AsyncStream<LinkEvent>.AsyncIterator,
        _ isExpected: (LinkEvent) -> Bool
    ) async throws {
        guard let event = await events.next(), isExpected(event) else {
            throw ValidationError("The gateway did not answer a device that registers; its log has the reason.")
        }
    }
}
