import ArgumentParser
import Crypto
import Foundation
import Logging
import PostgresClient
import PosthornStack
import PushClock
import PushModel
import PushService
import PushStorePostgres
import PushStoreSQLite
import Synchronization

struct BenchStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract:
            "Measures the service on a store: importing, starting, accepting, a broadcast, and what other nodes see.",
        discussion: """
            The store is a new file for SQLite, or a URL of an empty database of PostgreSQL. It imports the devices, reads them as at a \
            start, sends five pushes to all of them, which a stand-in for APNs accepts at once, and accepts pushes to single devices from \
            concurrent callers for some seconds. On PostgreSQL a second node then reads the changes that the first one makes at a steady rate.

            Prints a line for each: `n`, `seconds` and `cpu`, the processor seconds of this process without those of a server; for \
            `feed` the milliseconds from the beginning of a change until the other node has it. Benchmarks/Nodes/run starts the \
            servers and compares them.
            """
    )

    @Option(help: "A new file for SQLite, or postgres://…: a database whose tables may be created.")
    var store: String

    @Option(help: "Number of devices.")
    var devices = 100_000

    @Option(help: "Number of concurrent callers.")
    var callers = 10

    @Option(help: "Seconds of accepting, and of changes.")
    var seconds = 5

    @Option(help: "Changes of devices per second.")
    var changes = 5000

    @OptionGroup var output: BenchOutput

    func validate() throws {
        for (name, value, range) in [
            ("--devices", devices, 1000...10_000_000), ("--callers", callers, 1...1000),
            ("--seconds", seconds, 1...600),
            ("--changes", changes, 100...100_000),
        ] where !range.contains(value) {
            throw ValidationError("\(name) is \(value); expected \(range.lowerBound) to \(range.upperBound).")
        }
    }

    private static let logger = Logger(label: "bench")

    /// Opens the store of a node.
    private func open(node: Int16 = 1) async throws -> any PushStore {
        guard PostgresConfiguration.schemes.contains(where: { store.hasPrefix("\($0)://") }) else {
            return try SQLiteStore(path: store)
        }
        let pool = PostgresPool(try PostgresConfiguration(url: store), logger: Self.logger)
        let opened = PostgresStore(pool, node: node)
        try await opened.migrate()
        return opened
    }

    func run() async throws {
        // No id derived from these keys leaves this process.
        let keys = ServiceKeys(secret: SymmetricKey(data: SHA256.hash(data: Data("bench".utf8))))
        let first = try await open()
        guard try await first.apps().isEmpty else {
            throw ValidationError("The store holds apps already; name a new one.")
        }
        let app = try await first.createApp(
            name: "bench",
            bundleID: "com.example.bench",
            defaultEnvironment: .production,
            at: Date()
        ).app
        try await importDevices(to: first, app, keys)

        let sender = BenchSender()
        let begin = Measurement()
        let core = try await ServiceCore(
            ServicePorts(
                store: first,
                keys: keys,
                sender: sender,
                certificates: CertificateReader(),
                clock: SystemClock(),
                logger: Self.logger
            )
        )
        tell("start", of: devices, begin)
        try await broadcast(by: core, app, sender)
        try await accept(to: core, app)
        try await logIn(to: first, app, isShared: true)
        try await logIn(to: first, app, isShared: false)
        if let first = first as? PostgresStore { try await follow(first, app) }
    }

    private func tell(_ name: String, of count: Int, _ measurement: Measurement) {
        let (seconds, cpu) = measurement.end()
        output.tell(
            name,
            figures: [("n", .number(count)), ("seconds", .double(seconds)), ("cpu", .double(cpu))]
        )
    }

    private func importDevices(to store: any PushStore, _ app: App, _ keys: ServiceKeys) async throws {
        let registry = try await Registry(store: store, keys: keys)
        let importer = DeviceImporter(store: store, registry: registry, clock: SystemClock())
        // Making the rows is not part of the time.
        let steps = stride(from: 0, to: devices, by: DeviceImporter.limit).map { start in
            (start..<min(start + DeviceImporter.limit, devices)).map(BenchDevices.device)
        }
        let begin = Measurement()
        for rows in steps {
            let tally = try await importer.add(rows, of: app.id, environment: .production)
            guard tally.created == rows.count else {
                printNote("Not all of \(rows.count) devices were imported: \(tally.created).")
                throw ExitCode.failure
            }
        }
        tell("import", of: devices, begin)
    }

    /// Accepts pushes to single devices from concurrent callers.
    private func accept(to core: ServiceCore, _ app: App) async throws {
        let end = ContinuousClock.now + .seconds(seconds)
        let begin = Measurement()
        let count = try await withThrowingTaskGroup(of: Int.self, returning: Int.self) { [devices] group in
            for caller in 0..<callers {
                group.addTask {
                    var count = 0
                    while ContinuousClock.now < end {
                        let device = BenchDevices.mix(UInt64(caller) << 32 + UInt64(count)) % UInt64(devices)
                        _ = try await core.acceptor.accept(Self.push(to: #"{"alias":["alias\#(device)"]}"#), for: app)
                        count += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        tell("accept", of: count, begin)
    }

    /// Notes logins of devices from ten times as many concurrent callers, as after an interruption of the network. `isShared` selects
    /// the calls that may share transactions.
    private func logIn(to store: any PushStore, _ app: App, isShared: Bool) async throws {
        let end = ContinuousClock.now + .seconds(seconds)
        let begin = Measurement()
        let count = try await withThrowingTaskGroup(of: Int.self, returning: Int.self) { [devices, callers] group in
            for caller in 0..<callers * 10 {
                group.addTask {
                    var count = 0
                    while ContinuousClock.now < end {
                        let ordinal = DeviceOrdinal((count * callers * 10 + caller) % devices)
                        if isShared {
                            _ = try await store.updateDevice(DeviceID(app: app.id, ordinal: ordinal)) {
                                $0.lastSeen += 1
                            }
                        } else {
                            _ = try await store.updateDevices([ordinal], of: app.id, keepingTags: []) {
                                $0.lastSeen += 1
                            }
                        }
                        count += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        tell(isShared ? "logins" : "logins_apart", of: count, begin)
    }

    static func push(to audience: String) -> [UInt8] {
        Array(
            #"{"platform":"ios","audience":\#(audience),"notification":{"ios":{"alert":"Good morning"}},"options":{"apns_production":true}}"#
                .utf8
        )
    }

    /// The number of pushes to all devices; the first alone would measure the opening of connections, too.
    private static let broadcasts = 5

    /// Sends pushes to all devices, one after the other, each until its outcomes are stored.
    private func broadcast(by core: ServiceCore, _ app: App, _ sender: BenchSender) async throws {
        let dispatcher = Task { try await core.dispatcher.run() }
        defer { dispatcher.cancel() }
        let begin = Measurement()
        for number in 1...Self.broadcasts {
            let id = try await core.acceptor.accept(Self.push(to: #""all""#), for: app).messageID
            while sender.sent < devices * number { try await Task.sleep(for: .milliseconds(10)) }
            while let chunks = try await core.store.message(id, of: app.id)?.chunks,
                MessageProgress(chunks).waiting > 0
            {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        tell("broadcast", of: devices * Self.broadcasts, begin)
    }

    /// Changes devices at one node, and measures when another sees it.
    private func follow(_ first: PostgresStore, _ app: App) async throws {
        guard let second = try await open(node: 2) as? PostgresStore else { return }
        let configuration = try PostgresConfiguration(url: store)
        let bells = [1, 2].map { node in
            PostgresBell(configuration, node: NodeID(rawValue: node), clock: SystemClock(), logger: Self.logger)
        }
        let lag = BenchLag(devices: devices)
        let begin = Measurement()
        let writer = BenchFeedWriter(store: first, bell: bells[0], app: app.id, lag: lag, rate: changes)
        let reader = BenchFeedReader(store: second, bell: bells[1], lag: lag)
        let start = try await second.feedEnd()
        let written = try await withThrowingTaskGroup(of: Int.self, returning: Int.self) { [seconds] group in
            group.addTask {
                try await reader.run(after: start)
                return 0
            }
            group.addTask { try await writer.run(for: .seconds(seconds)) }
            var written = 0
            while let count = try await group.next() {
                written += count
                // The reader ends when it has seen everything.
                lag.expect(written)
                try await bells[0].ring(.feed)
            }
            return written
        }
        let (taken, cpu) = begin.end()
        let lags = lag.sorted
        for bell in bells { await bell.close() }
        await second.close()
        func percentile(_ part: Double) -> JSONValue {
            .double(lags[min(lags.count - 1, Int(Double(lags.count) * part))])
        }
        output.tell(
            "feed",
            figures: [
                ("n", .number(written)), ("seconds", .double(taken)), ("cpu", .double(cpu)),
                ("p50", percentile(0.5)), ("p99", percentile(0.99)), ("max", percentile(1)),
            ]
        )
    }
}

/// Wall-clock and processor time since its creation.
private struct Measurement {
    private let start = ContinuousClock.now
    private let cpu = Self.processorSeconds

    /// The processor time of all threads of this process.
    private static var processorSeconds: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

    func end() -> (seconds: Double, cpu: Double) {
        (start.duration(to: .now) / .seconds(1), Self.processorSeconds - cpu)
    }
}

/// Stands for APNs: accepts or refuses every push at once.
final class BenchSender: PushSender {
    private let count = Atomic(0)
    private let refuses: Bool

    init(refusing refuses: Bool = false) { self.refuses = refuses }

    var sent: Int { count.load(ordering: .relaxed) }

    func connections() async -> [SenderConnections] { [] }

    func send(_ batch: SendBatch, for app: App, environment: APNSEnvironment) async -> SendOutcomes {
        var outcomes = SendOutcomes()
        for index in 0..<batch.count {
            if refuses {
                outcomes.add(SendOutcome(.refused(.payloadTooLarge, unregisteredAt: nil)), of: index)
            } else {
                outcomes.addSent(index)
            }
        }
        count.add(batch.count, ordering: .relaxed)
        return outcomes
    }
}
