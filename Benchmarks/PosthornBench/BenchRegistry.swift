import ArgumentParser
import Crypto
import Foundation
import PushClock
import PushModel
import PushService
import PushStoreSQL
import PushStoreSQLite

struct BenchRegistry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "registry",
        abstract: "Measures the registry: importing devices, loading them at start, and resolving audiences.",
        discussion: """
            Without --data it imports the devices into a temporary folder, which it removes at the end. With --data it continues \
            with the devices in that folder, and then also reports the memory per device.

            Each device has a token, an alias and three tags: two shared by a tenth of the devices each, and one shared by a \
            thousandth. A query resolves a whole audience: its devices, and the token of each. Each query runs for a second, at \
            least five times, and the best time is reported.

            Then the tags of 100,000 devices, or of all if there are fewer, change one after the other, in an app with the same \
            number of devices, each with its own tag. The time per change and the longest time are reported. That app is only in memory.
            """
    )

    @Option(help: "Number of devices.")
    var devices = 1_000_000

    @OptionGroup var output: BenchOutput

    @Option(help: "The folder of the devices, new or from an earlier run.")
    var data: String?

    func validate() throws {
        guard (1...10_000_000).contains(devices) else {
            throw ValidationError("--devices is \(devices); expected 1 to 10000000.")
        }
    }

    func run() async throws {
        let folder = TemporaryFolder(named: data)
        defer { folder.remove() }
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let path = folder.path + "/bench.sqlite"
        let isThere = FileManager.default.fileExists(atPath: path)
        // No id derived from these keys leaves this process.
        let keys = ServiceKeys(secret: SymmetricKey(data: SHA256.hash(data: Data("bench".utf8))))
        if !isThere { try await register(path, keys) }
        let store = try SQLiteStore(path: path)
        let before = residentBytes()
        let start = ContinuousClock.now
        let registry = try await Registry(store: store, keys: keys)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        guard let app = try await store.apps().first else {
            throw ValidationError("\(path) holds no app; name another folder.")
        }
        let count = registry.resolve(.all, of: app.id, environment: .production, at: Date()).reachable.count
        output.tell("load", figures: [("n", .number(count)), ("seconds", .double(seconds))])
        if isThere, let before, let after = residentBytes() {
            let each = (after - before) / max(1, count)
            output.tell("memory", figures: [("n", .number(count)), ("bytes", .number(each))])
        }
        try askQuestions(of: registry, app: app.id, devices: count)
        changeTags(registry, app.id + 1)
        try store.close()
    }

    /// Changes the tags of devices, one after the other, in an app with as many other tags as devices.
    private func changeTags(_ registry: Registry, _ app: App.ID) {
        var version: UInt32 = 1
        func device(_ number: Int, tags: [String]) -> RegisteredDevice {
            RegisteredDevice(
                id: DeviceID(app: app, ordinal: DeviceOrdinal(number)),
                installation: "",
                secretHash: SecretHash(bytes: []),
                token: BenchDevices.device(number).token,
                environment: .production,
                tokenRegisteredAt: Date(timeIntervalSince1970: 0),
                tags: tags,
                lastSeen: Date(),
                version: version
            )
        }
        let bar = ProgressBar(isQuiet: output.json)
        for start in stride(from: 0, to: devices, by: DeviceImporter.limit) {
            bar.show(start, of: devices)
            registry.apply((start..<min(start + DeviceImporter.limit, devices)).map { device($0, tags: ["own\($0)"]) })
        }
        let changes = min(devices, 100_000)
        bar.show(step: "changing tags")
        // Each device gets a new tag and another device's own tag; the next round removes both.
        let changed = (0..<changes).map { change in
            let number = Int(BenchDevices.mix(UInt64(change)) % UInt64(devices))
            let other = BenchDevices.mix(UInt64(change) &+ 1_000_000) % UInt64(devices)
            version += 1
            return device(number, tags: change % 2 == 0 ? ["own\(number)", "new\(change)", "own\(other)"] : [])
        }
        var worst = 0.0
        let start = ContinuousClock.now
        for device in changed {
            let before = ContinuousClock.now
            registry.apply([device])
            worst = max(worst, (ContinuousClock.now - before) / .seconds(1))
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1) / Double(changes)
        bar.clear()
        let facts: [(String, JSONValue)] = [
            ("n", .number(devices)), ("seconds", .double(seconds)), ("worst", .double(worst)),
        ]
        output.tell("tag_change", figures: facts)
    }

    private func register(_ path: String, _ keys: ServiceKeys) async throws {
        let store = try SQLiteStore(path: path)
        let app = try await store.createApp(
            name: "bench",
            bundleID: "com.example.bench",
            defaultEnvironment: .production,
            at: Date()
        ).app
        let registry = try await Registry(store: store, keys: keys)
        let importer = DeviceImporter(store: store, registry: registry, clock: SystemClock())
        let bar = ProgressBar(isQuiet: output.json)
        defer { bar.clear() }
        var seconds = 0.0
        for start in stride(from: 0, to: devices, by: DeviceImporter.limit) {
            bar.show(start, of: devices)
            let rows = (start..<min(start + DeviceImporter.limit, devices)).map(BenchDevices.device)
            // Generating the devices is not part of the registry's time.
            let begin = ContinuousClock.now
            let tally = try await importer.add(rows, of: app.id, environment: .production)
            seconds += (ContinuousClock.now - begin) / .seconds(1)
            guard tally.created == rows.count else {
                bar.clear()
                printNote("Not all of \(rows.count) devices were imported: \(tally.created).")
                throw ExitCode.failure
            }
        }
        bar.clear()
        output.tell("register", figures: [("n", .number(devices)), ("seconds", .double(seconds))])
        try store.close()
    }

    private func askQuestions(of registry: Registry, app: App.ID, devices count: Int) throws {
        let questions: [(String, (inout Audience.Filter) -> Void)] = [
            ("tag", { $0.tags = ["g1"] }),
            ("tag_and", { $0.tagsAnd = ["g1", "g11"] }),
            ("tag_not", { $0.tagsNot = ["g1"] }),
            (
                "alias",
                { $0.aliases = (0..<1000).map { "alias\(BenchDevices.mix(UInt64($0)) % UInt64(max(1, count)))" } }
            ),
        ]
        measure("all", .all, in: registry, app: app)
        for (name, change) in questions {
            var filter = Audience.Filter()
            change(&filter)
            measure(name, .filter(filter), in: registry, app: app)
        }
    }

    private func measure(_ name: String, _ audience: Audience, in registry: Registry, app: App.ID) {
        let bar = ProgressBar(isQuiet: output.json)
        bar.show(step: "asking: \(name)")
        var best = Double.infinity
        var (count, sum) = (0, UInt64(0))
        let begin = ContinuousClock.now
        var asked = 0
        while asked < 5 || ContinuousClock.now - begin < .seconds(1) {
            asked += 1
            sum = 0
            let start = ContinuousClock.now
            let members = registry.resolve(audience, of: app, environment: .production, at: Date()).reachable
            for first in stride(from: 0, to: members.count, by: LanePlan.stepSize) {
                let step = members[first..<min(first + LanePlan.stepSize, members.count)]
                for token in registry.targets(step, of: app, environment: .production).tokens { sum ^= token[0] }
            }
            count = members.count
            best = min(best, (ContinuousClock.now - start) / .seconds(1))
        }
        bar.clear()
        // The sum has 64 bits without a sign, which no JSON number holds exactly.
        let facts: [(String, JSONValue)] = [
            ("n", .number(count)), ("seconds", .double(best)), ("sum", .string("\(sum)")),
        ]
        output.tell(name, figures: facts)
    }

    /// The resident memory of this process; nil where the system does not report it.
    private func residentBytes() -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 }
    }
}
