import APNSGateway
import APNSProvider
import ArgumentParser
import DeviceLinkNIO
import Foundation
import Logging
import NIOPosix
import NetworkSupport
import PosthornStack
import PushClock
import PushModel

struct BenchCouriers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "couriers",
        abstract: "Measures memory per idle device and CPU time per push, with many devices on real sockets.",
        discussion: """
            Starts a gateway in its own process and connects the devices to it. Each device gets the same number of pushes. \
            Halfway through, every other device loses its link before it has acknowledged the last push, and opens another. \
            Exits with 0 if each push reached its app once and was acknowledged once.
            """
    )

    @Option(help: "Number of devices.")
    var devices = 5000

    @Option(help: "Number of pushes per device.")
    var pushes = 10

    @OptionGroup var output: BenchOutput

    func validate() throws {
        for (name, value, range) in [("--devices", devices, 1...100_000), ("--pushes", pushes, 1...50)]
        where !range.contains(value) {
            throw ValidationError("\(name) is \(value); expected \(range.lowerBound) to \(range.upperBound).")
        }
        // The gateway keeps this many events for late readers: one per delivery and one per push that waited.
        guard devices * pushes <= EventFeed.capacity / 2 else {
            throw ValidationError(
                "--devices times --pushes is \(devices * pushes); expected at most \(EventFeed.capacity / 2)."
            )
        }
    }

    func run() async throws {
        let files = OpenFileLimit.raise()
        guard files > devices + 100 else {
            throw ValidationError(
                "This process may open \(files) files; \(devices) devices need more. Raise 'ulimit -n'."
            )
        }
        let gateway = try BenchGateway.start()
        defer { gateway.stop() }
        let couriers = (0..<devices).map { BenchCourier("bench device \($0)", pushes: pushes) }
        let bar = ProgressBar(isQuiet: output.json)
        defer { bar.clear() }
        // The first devices also pay for what the process allocates once.
        let first = min(devices / 2, 100)
        try await Self.connect(couriers[..<first], to: gateway, bar)
        let before = try gateway.residentBytes()
        try await Self.connect(couriers[first...], to: gateway, bar)
        let idle = (try gateway.residentBytes() - before) / max(1, devices - first)
        let spent = try gateway.cpuSeconds()
        let start = ContinuousClock.now
        try await push(to: couriers, by: gateway, bar)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let cpu = (try gateway.cpuSeconds() - spent) / Double(devices * pushes)
        let acknowledged = try await acknowledgements(at: gateway)
        let delivered = couriers.reduce(0) { $0 + $1.delivered }
        let links = couriers.reduce(0) { $0 + $1.links }
        bar.clear()
        output.tell(figures: [
            ("devices", .number(devices)), ("links", .number(links)),
            ("idleBytes", .number(idle)), ("delivered", .number(delivered)),
            ("acknowledged", .number(acknowledged)), ("seconds", .double(seconds)),
            ("cpuMicroseconds", .double((cpu * 1e7).rounded() / 10)),
        ])
        guard couriers.allSatisfy(\.hasEachOnce), acknowledged == devices * pushes else {
            printNote("Not all of the \(devices * pushes) pushes were delivered once and acknowledged once.")
            throw ExitCode.failure
        }
    }

    /// Connects devices, and returns when all of them have a token.
    static func connect(
        _ couriers: ArraySlice<BenchCourier>,
        to gateway: BenchGateway,
        _ bar: ProgressBar
    ) async throws {
        // A few hundred at a time: a listener's backlog holds no more.
        for start in stride(from: couriers.startIndex, to: couriers.endIndex, by: 500) {
            bar.show("\(start) of \(couriers.endIndex) devices connected")
            let some = couriers[start..<min(start + 500, couriers.endIndex)]
            for courier in some { courier.connect(to: gateway.courier) }
            try await Self.patiently("connect") { some.allSatisfy { $0.token != nil } }
        }
    }

    /// Sends one round of pushes after the other; halfway through, every other device loses its link.
    private func push(to couriers: [BenchCourier], by gateway: BenchGateway, _ bar: ProgressBar) async throws {
        let client = gateway.client()
        let tokens = couriers.compactMap(\.token)
        for round in 0..<pushes {
            bar.show("\(round) of \(pushes) rounds of pushes sent")
            if round == pushes / 2 {
                for courier in couriers.enumerated().filter({ $0.offset % 2 == 0 }).map(\.element) { courier.cut() }
            }
            // A push that waits for its device is not replaced, because it has its own collapse id.
            var batch = APNSBatch(topic: BenchGateway.topic, priority: 10, collapseID: "round \(round)")
            batch.add(tokens, payload: Array(#"{"aps":{"alert":"Hello"},"round":\#(round)}"#.utf8))
            await client.send(batch) { _ in }
        }
        try await Self.patiently("get their pushes") { couriers.allSatisfy { $0.delivered == pushes } }
        await client.shutdown()
    }

    /// The number of pushes the gateway reports as delivered; -1 if it reports one twice.
    private func acknowledgements(at gateway: BenchGateway) async throws -> Int {
        let counter = DeliveryCounter()
        let follower = GatewayEventsFollower(
            url: gateway.events,
            dialer: WebSocketDialer(group: MultiThreadedEventLoopGroup.singleton),
            clock: SystemClock(),
            sink: counter,
            cursor: nil,
            save: { _ in }
        )
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await follower.run() }
            defer { group.cancelAll() }
            try await Self.patiently("acknowledge their pushes") { counter.total >= devices * pushes }
            return counter.hasRepeats ? -1 : counter.total
        }
    }

    /// Waits until the condition holds; fails after five minutes.
    static func patiently(
        _ what: String,
        every pause: Duration = .milliseconds(20),
        _ condition: () -> Bool
    ) async throws {
        let end = ContinuousClock.now + .seconds(300)
        while !condition() {
            guard ContinuousClock.now < end else {
                throw ValidationError("After five minutes, some devices did not \(what).")
            }
            try await Task.sleep(for: pause)
        }
    }
}
