import ArgumentParser
import Crypto
import Foundation
import Logging
import PosthornStack
import PushClock
import PushModel
import PushService
import PushStoreSQLite

struct BenchGrowth: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth",
        abstract: "Measures how much a database of SQLite grows by pushes.",
        discussion: """
            For each kind of push a new database, in which as many pushes go to devices as are asked for. A stand-in for APNs answers them \
            at once. Prints a line for each kind: `pushes`, and `bytes`, the growth of the file without its write-ahead log. \
            Benchmarks/growth writes the table of Documentation/Operations/BackUp.md.
            """
    )

    /// What happens to each push.
    private enum Kind: String, CaseIterable {
        /// Sent to one device.
        case single
        /// The same, and the app reports that it was shown and opened.
        case opened
        /// The same as `single`, and Posthorn's gateway and phone report three events.
        case journey
        /// The same as `single`, and APNs refuses it.
        case refused
        /// The same as `single`, in the stream of events too.
        case stream
        /// Sent to all devices, a tenth of the pushes at once.
        case broadcast
    }

    @Option(help: "Number of pushes to a device of each kind.")
    var pushes = 200_000

    @OptionGroup var output: BenchOutput

    func validate() throws {
        guard 10_000...10_000_000 ~= pushes else {
            throw ValidationError("--pushes is \(pushes); expected 10000 to 10000000.")
        }
    }

    func run() async throws {
        for kind in Kind.allCases {
            let folder = TemporaryFolder(named: nil)
            defer { folder.remove() }
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            let bytes = try await growth(by: kind, in: folder.path + "/posthorn.sqlite")
            output.tell(kind.rawValue, figures: [("pushes", .number(pushes)), ("bytes", .number(bytes))])
        }
    }

    private var devices: Int { pushes / 10 }

    private func growth(by kind: Kind, in path: String) async throws -> Int {
        func size() throws -> Int {
            try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        }
        let keys = ServiceKeys(secret: SymmetricKey(data: SHA256.hash(data: Data("bench".utf8))))
        var store = try SQLiteStore(path: path)
        let app = try await store.createApp(
            name: "bench",
            bundleID: "com.example.bench",
            defaultEnvironment: .production,
            at: Date()
        ).app
        let importer = DeviceImporter(
            store: store,
            registry: try await Registry(store: store, keys: keys),
            clock: SystemClock()
        )
        for start in stride(from: 0, to: devices, by: DeviceImporter.limit) {
            let rows = (start..<min(start + DeviceImporter.limit, devices)).map(BenchDevices.device)
            _ = try await importer.add(rows, of: app.id, environment: .production)
        }
        try store.close()
        let before = try size()
        store = try SQLiteStore(path: path)
        try await push(kind, through: store, keys, for: app)
        try store.close()
        return try size() - before
    }

    private func push(_ kind: Kind, through store: any PushStore, _ keys: ServiceKeys, for app: App) async throws {
        var rules = ServiceSettings()
        if kind == .stream { rules.retention.events = 31 }
        let sender = BenchSender(refusing: kind == .refused)
        let core = try await ServiceCore(
            ServicePorts(
                store: store,
                keys: keys,
                sender: sender,
                certificates: CertificateReader(),
                clock: SystemClock(),
                logger: Logger(label: "bench")
            ),
            rules
        )
        let dispatcher = Task { try await core.dispatcher.run() }
        defer { dispatcher.cancel() }
        var last: [MessageID] = []
        for start in stride(from: 0, to: pushes, by: kind == .broadcast ? devices : 100) {
            guard kind != .broadcast else {
                last.append(try await core.acceptor.accept(BenchStore.push(to: #""all""#), for: app).messageID)
                continue
            }
            // The callers of one step share a transaction.
            last = try await withThrowingTaskGroup(of: MessageID.self) { [devices] group in
                for number in start..<start + 100 {
                    group.addTask {
                        let audience = #"{"alias":["alias\#(number % devices)"]}"#
                        let body = BenchStore.push(to: audience)
                        let id = try await core.acceptor.accept(body, for: app).messageID
                        let device = core.registry.devices(withAlias: "alias\(number % devices)", of: app.id)[0]
                        try await report(on: id, by: device, as: kind, to: store)
                        return id
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        while sender.sent < pushes { try await Task.sleep(for: .milliseconds(10)) }
        for id in last {
            while let chunks = try await store.message(id, of: app.id)?.chunks, MessageProgress(chunks).waiting > 0 {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    private func report(on id: MessageID, by device: DeviceID, as kind: Kind, to store: any PushStore) async throws {
        if kind == .opened {
            let opened: ReceiptBits = [.received, .displayed, .clicked]
            try await store.record([id: opened], inApp: [:], of: device, at: Date())
        } else if kind == .journey {
            let kinds: [JourneyEvent.Kind] = [.delivered, .presented(.lockScreen), .opened]
            try await store.record(
                kinds.map {
                    let event = JourneyEvent(date: Date(), station: .device, kind: $0)
                    return JourneyEntry(message: id, ordinal: device.ordinal, event: event)
                }
            )
        }
    }
}
