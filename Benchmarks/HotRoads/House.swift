import Crypto
import DeviceLinkNIO
import Foundation
import Hummingbird
import Logging
import PushAPI
import PushClock
import PushModel
import PushService
import PushStoreSQLite
import ServiceLifecycle

let silence = Logger(label: "hot roads") { _ in SwiftLogNoOpLogHandler() }

/// The service with a store on disk and an app, without its network interfaces.
struct House: Sendable {
    /// Not the system's clock: a time limit or a new day would change what the roads cost.
    let clock: VirtualClock
    let core: ServiceCore
    let app: App
    private let masterSecret: String
    private let folder: String

    init(sender: any PushSender = NoAPNs()) async throws {
        clock = VirtualClock()
        folder = try Self.makeFolder()
        let store = try SQLiteStore(path: folder + "/posthorn.sqlite")
        let created = try await store.createApp(
            name: "app",
            bundleID: "com.example.app",
            defaultEnvironment: .production,
            at: clock.date,
            using: SplitMix(seed: 1)
        )
        (app, masterSecret) = (created.app, created.masterSecret)
        // No id derived from these keys leaves this process.
        var ports = ServicePorts(
            store: store,
            keys: ServiceKeys(secret: SymmetricKey(data: [UInt8](repeating: 7, count: 32))),
            sender: sender,
            certificates: NoCertificates(),
            clock: clock,
            logger: silence
        )
        ports.random = { 0.5 }
        var settings = ServiceSettings()
        settings.link.registrationsPerMinute = 0
        core = try await ServiceCore(ports, settings)
    }

    /// Makes a folder of its own.
    static func makeFolder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "posthorn-roads-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.path
    }

    /// The credential of the app, as the REST API takes it.
    var authorization: String { "Basic " + Data("\(app.key):\(masterSecret)".utf8).base64EncodedString() }

    func registrationID(_ number: Int) -> RegistrationID {
        core.registry.registrationID(of: DeviceID(app: app.id, ordinal: DeviceOrdinal(number)))
    }

    func remove() throws { try FileManager.default.removeItem(atPath: folder) }

    /// Adds devices to the app, in memory: no road reads them from the store.
    func addDevices(_ count: Int, tags: (Int) -> [String] = { _ in [] }) {
        var random = SplitMix(seed: 1)
        // A multiple of the pieces in which the registry has the devices, so that each is written once.
        let size = 4096
        for start in stride(from: 0, to: count, by: size) {
            let devices = (start..<min(start + size, count)).map { number in
                RegisteredDevice(
                    id: DeviceID(app: app.id, ordinal: DeviceOrdinal(number)),
                    installation: "",
                    secretHash: SecretHash(bytes: []),
                    token: DeviceToken(words: SIMD4(random.next(), random.next(), random.next(), random.next())),
                    environment: .production,
                    tokenRegisteredAt: clock.date,
                    alias: "alias\(number)",
                    tags: tags(number),
                    lastSeen: clock.date,
                    version: 1
                )
            }
            core.registry.apply(devices)
        }
    }

    /// Serves the REST API and the SDK link while `body` runs, but sends nothing to APNs.
    func serve(_ body: (_ port: Int) async throws -> Void) async throws {
        let (ports, running) = AsyncStream<Int>.makeStream()
        var settings = PushAPI.Settings { $0.callLimits = .all(1_000_000) }
        // Under callgrind everything takes long.
        (settings.firstRequestLimit, settings.requestLimit) = (.seconds(3600), .seconds(3600))
        settings.responseLimit = .seconds(3600)
        // No ping in the middle of a road.
        settings.link = LinkConfiguration {
            ($0.pingInterval, $0.silence, $0.openTimeout) = (.hours(1), .hours(2), .hours(1))
            $0.unauthenticatedTime = nil
        }
        let application = PushAPI(core: core, settings: settings, logger: silence).application { running.yield($0) }
        let services = ServiceGroup(services: [core.links, application], logger: silence)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await services.run() }
            for await port in ports.prefix(1) { try await body(port) }
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
        }
    }
}

/// For roads that send nothing.
struct NoAPNs: PushSender {
    func send(_ batch: SendBatch, for app: App, environment: APNSEnvironment) async -> SendOutcomes {
        SendOutcomes(all: batch.count, SendOutcome(.undecided("This road sends nothing.", after: nil)))
    }

    func connections() async -> [SenderConnections] { [] }
}

private struct NoCertificates: CredentialInspector {
    func inspect(_ file: [UInt8], passPhrase: String) throws(UnusableCertificate) -> InspectedFile {
        throw UnusableCertificate("This road has no certificates.")
    }
}
