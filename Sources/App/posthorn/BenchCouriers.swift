import APNSGateway
import APNSProvider
import ArgumentParser
import DeviceLinkNIO
import Foundation
import Logging
import NIOPosix
import PosthornStack
import PushClock
import PushModel

struct BenchCouriers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "couriers",
        abstract: "Many devices on real sockets at a gateway of their own: memory of an idle one, CPU of a push.",
        discussion: """
            Starts a gateway in a process of its own and connects the devices to it. Each gets the same number of pushes; in \
            the middle every other device loses its link without having acknowledged what came last, and opens another. \
            Status 0 if each push reached its app once and was acknowledged once.
            """
    )

    @Option(help: "How many devices.")
    var devices = 5000

    @Option(help: "How many pushes each of them gets.")
    var pushes = 10

    @Flag(help: "Print as one line of JSON.")
    var json = false

    func validate() throws {
        for (name, value, range) in [("--devices", devices, 1...100_000), ("--pushes", pushes, 1...50)]
        where !range.contains(value) {
            throw ValidationError("\(name) is \(value); expected \(range.lowerBound) to \(range.upperBound).")
        }
        // The gateway keeps as many events for whoever asks afterwards, one of each delivery and of each push that waited.
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
        let gateway = try await BenchGateway.start()
        defer { gateway.stop() }
        let couriers = (0..<devices).map { BenchCourier("bench device \($0)", pushes: pushes) }
        // What the first ones cost is the process's own.
        let first = min(devices / 2, 100)
        try await connect(couriers[..<first], to: gateway)
        let before = try gateway.residentBytes()
        try await connect(couriers[first...], to: gateway)
        let idle = (try gateway.residentBytes() - before) / max(1, devices - first)
        let spent = try gateway.cpuSeconds()
        let start = ContinuousClock.now
        try await push(to: couriers, by: gateway)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let cpu = (try gateway.cpuSeconds() - spent) / Double(devices * pushes)
        let acknowledged = try await acknowledgements(at: gateway)
        let delivered = couriers.reduce(0) { $0 + $1.delivered }
        let links = couriers.reduce(0) { $0 + $1.links }
        tell([
            ("devices", .integer(Int64(devices))), ("links", .integer(Int64(links))),
            ("idleBytes", .integer(Int64(idle))), ("delivered", .integer(Int64(delivered))),
            ("acknowledged", .integer(Int64(acknowledged))), ("seconds", .double(seconds)),
            ("cpuMicroseconds", .double((cpu * 1e7).rounded() / 10)),
        ])
        guard couriers.allSatisfy(\.hasEachOnce), acknowledged == devices * pushes else {
            printNote("Not each of the \(devices * pushes) pushes was delivered once and acknowledged once.")
            throw ExitCode.failure
        }
    }

    private func tell(_ figures: [(String, JSONValue)]) {
        guard !json else {
            var object: JSONObject = [:]
            for (name, value) in figures { object[name] = value }
            return printLine(JSONValue.object(object).text)
        }
        printLine("RESULT " + figures.map { "\($0)=\($1.text)" }.joined(separator: " "))
    }

    private func connect(_ couriers: ArraySlice<BenchCourier>, to gateway: BenchGateway) async throws {
        // Some hundred at a time, as a listener keeps no more in line.
        for start in stride(from: couriers.startIndex, to: couriers.endIndex, by: 500) {
            let some = couriers[start..<min(start + 500, couriers.endIndex)]
            for courier in some { courier.connect(to: gateway.courier) }
            try await patiently("connect") { some.allSatisfy { $0.token != nil } }
        }
    }

    /// Sends a round of pushes after the other; in the middle of them every other device loses its link.
    private func push(to couriers: [BenchCourier], by gateway: BenchGateway) async throws {
        let client = APNSClient(
            credential: .key(gateway.key),
            endpoint: APNSEndpoint(host: "127.0.0.1", port: gateway.port, trust: .file(gateway.authority)),
            logger: Logger(label: "posthorn.bench") { _ in SwiftLogNoOpLogHandler() }
        )
        let tokens = couriers.compactMap(\.token)
        for round in 0..<pushes {
            if round == pushes / 2 {
                for courier in couriers.enumerated().filter({ $0.offset % 2 == 0 }).map(\.element) { courier.cut() }
            }
            // One that waits for its device keeps its place by a collapse id of its own.
            var batch = APNSBatch(topic: BenchGateway.topic, priority: 10, collapseID: "round \(round)")
            batch.add(tokens, payload: Array(#"{"aps":{"alert":"Hello"},"round":\#(round)}"#.utf8))
            await client.send(batch) { _ in }
        }
        try await patiently("get their pushes") { couriers.allSatisfy { $0.delivered == pushes } }
        await client.shutdown()
    }

    /// How many deliveries the gateway tells of, of different pushes; -1 if it tells of one twice.
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
            try await patiently("be acknowledged") { counter.total >= devices * pushes }
            return counter.hasRepeats ? -1 : counter.total
        }
    }

    /// Waits for what the sockets do; five minutes without it are a failure.
    private func patiently(_ what: String, _ condition: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(300)
        while !condition() {
            guard ContinuousClock.now < end else {
                throw ValidationError("After five minutes not all devices did \(what).")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
