import APNSProvider
import ArgumentParser
import Foundation
import Logging
import NetworkSupport
import PushModel

struct BenchChannels: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channels",
        abstract: "Measures a message to a broadcast channel with very many subscribers, of which some are linked.",
        discussion: """
            Starts a gateway in its own process, subscribes all devices to a channel, and links some of them on real sockets. \
            Then it sends messages to this channel, to one with only the linked devices, and, for comparison, single pushes to \
            the linked devices. The CPU time is the gateway's, from the provider's request to the last acknowledgement. Exits \
            with 0 if each message reached each linked device once, and if, with 1000 linked devices or more, a message to all \
            subscribers took at most 1.25 times the CPU time of one to the linked ones alone, and half that of single pushes.
            """
    )

    @Option(help: "Number of subscribed devices.")
    var subscribers = 1_000_000

    @Option(help: "Number of them that are linked.")
    var linked = 5000

    @Option(help: "Number of messages to each channel, and of pushes to each linked device.")
    var messages = 10

    @OptionGroup var output: BenchOutput

    func validate() throws {
        for (name, value, range) in [
            ("--subscribers", subscribers, 2...10_000_000), ("--linked", linked, 1...100_000),
            ("--messages", messages, 1...50),
        ] where !range.contains(value) {
            throw ValidationError("\(name) is \(value); expected \(range.lowerBound) to \(range.upperBound).")
        }
        guard linked < subscribers else {
            throw ValidationError("--linked is \(linked); expected less than --subscribers, \(subscribers).")
        }
    }

    /// The measurement of one way to reach the linked devices.
    struct Figures {
        /// CPU milliseconds of the gateway for one message to all.
        var cpu: Double
        /// Milliseconds from the request to the last device.
        var time: Double
    }

    func run() async throws {
        let files = OpenFileLimit.raise()
        guard files > linked + 100 else {
            throw ValidationError(
                "This process may open \(files) files; \(linked) devices need more. Raise 'ulimit -n'."
            )
        }
        let gateway = try BenchGateway.start(extra: ["--management-production-port", "0", "--control-port", "0"])
        defer { gateway.stop() }
        let bar = ProgressBar(isQuiet: output.json)
        defer { bar.clear() }
        let channels = try gateway.channels()
        let all = try await channels.create(.mostRecentMessageStored)
        let few = try await channels.create(.noMessageStored)
        let couriers = (0..<linked).map { place in
            BenchCourier("linked device \(place)", pushes: 3 * messages + 2, channels: [all.rawValue, few.rawValue])
        }
        let before = try gateway.residentBytes()
        try await BenchSubscriber.subscribe(subscribers - linked, to: all, at: gateway) {
            bar.show($0, of: subscribers)
        }
        let bytes = (try gateway.residentBytes() - before) / (subscribers - linked)
        try await BenchCouriers.connect(couriers[...], to: gateway, bar)
        // The first message finds all links subscribed: a stored one waits for those that are late.
        var round = BenchRound(couriers: couriers, gateway: gateway)
        for channel in [all, few] {
            _ = try await round.send(1, showing: bar) { try await Self.publish($0, to: channel, by: channels) }
        }
        let message = try await round.send(messages, showing: bar) { try await Self.publish($0, to: all, by: channels) }
        let small = try await round.send(messages, showing: bar) { try await Self.publish($0, to: few, by: channels) }
        let client = gateway.client()
        let tokens = couriers.compactMap(\.token)
        let single = try await round.send(messages, showing: bar) { number in
            var batch = APNSBatch(topic: BenchGateway.topic, priority: 10)
            batch.add(tokens, payload: Self.payload(number))
            await client.send(batch) { _ in }
        }
        await client.shutdown()
        await channels.shutdown()
        bar.clear()
        try tell(bytes: bytes, message: message, toLinkedOnly: small, single: single, couriers)
    }

    private func tell(
        bytes: Int,
        message: Figures,
        toLinkedOnly small: Figures,
        single: Figures,
        _ couriers: [BenchCourier]
    ) throws {
        func rounded(_ value: Double) -> JSONValue { .double((value * 100).rounded() / 100) }
        // The kernel counts in hundredths of a second: few devices may take no time.
        func ratio(_ one: Double, _ other: Double) -> JSONValue { other > 0 ? rounded(one / other) : .null }
        output.tell(figures: [
            ("subscribers", .number(subscribers)), ("linked", .number(linked)),
            ("bytesPerSubscriber", .number(bytes)), ("cpuMilliseconds", rounded(message.cpu)),
            ("milliseconds", rounded(message.time)), ("cpuToSinglePushes", ratio(message.cpu, single.cpu)),
            ("cpuToLinkedOnly", ratio(message.cpu, small.cpu)),
            ("singlePushesCPUMilliseconds", rounded(single.cpu)), ("singlePushesMilliseconds", rounded(single.time)),
        ])
        guard couriers.allSatisfy(\.hasEachOnce) else {
            printNote("Not every message reached each of the \(linked) linked devices once.")
            throw ExitCode.failure
        }
        // The CPU time of fewer devices is too short for the kernel's clock.
        guard linked >= 1000 else { return }
        guard message.cpu <= small.cpu * 1.25 else {
            printNote("Subscribers without a link cost more than a quarter of the CPU time of those with one.")
            throw ExitCode.failure
        }
        // Both are near what a frame to a link and its acknowledgement cost.
        guard message.cpu <= single.cpu * 0.65 else {
            printNote("A message to all took more than 65 % of the CPU time of single pushes to the linked devices.")
            throw ExitCode.failure
        }
    }

    private static func payload(_ number: Int) -> [UInt8] {
        Array(#"{"aps":{"event":"update"},"round":\#(number)}"#.utf8)
    }

    private static func publish(_ number: Int, to channel: APNSChannelID, by channels: APNSChannels) async throws {
        try await channels.send(APNSBroadcast(to: channel, payload: payload(number)))
    }
}

/// Sends numbered messages to the linked devices, one after the other.
private struct BenchRound {
    let couriers: [BenchCourier]
    let gateway: BenchGateway
    /// The number of messages that each device has got.
    private var sent = 0

    init(couriers: [BenchCourier], gateway: BenchGateway) {
        self.couriers = couriers
        self.gateway = gateway
    }

    /// Returns when all devices have got all messages, and the gateway has their acknowledgements.
    mutating func send(
        _ count: Int,
        showing bar: ProgressBar,
        _ send: (Int) async throws -> Void
    ) async throws -> BenchChannels.Figures {
        let spent = try gateway.cpuSeconds()
        var time = Duration.zero
        for _ in 0..<count {
            bar.show("\(sent) messages sent")
            let start = ContinuousClock.now
            try await send(sent)
            sent += 1
            let expected = sent
            try await BenchCouriers.patiently("get their messages", every: .milliseconds(1)) {
                couriers.allSatisfy { $0.delivered == expected }
            }
            time += ContinuousClock.now - start
        }
        let acknowledged = sent * couriers.count
        while try await gateway.delivered() < acknowledged { try await Task.sleep(for: .milliseconds(5)) }
        return BenchChannels.Figures(
            cpu: (try gateway.cpuSeconds() - spent) * 1000 / Double(count),
            time: time / .milliseconds(1) / Double(count)
        )
    }
}
