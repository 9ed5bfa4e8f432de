import Crypto
import DeviceLink
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
    // No id derived from these keys leaves this process.
    static let keys = ServiceKeys(secret: SymmetricKey(data: [UInt8](repeating: 7, count: 32)))

    /// Not the system's clock: a time limit or a new day would change what the roads cost.
    let clock: VirtualClock
    let core: ServiceCore
    let app: App
    private let masterSecret: String
    private let folder: String

    init(
        sender: any PushSender = NoAPNs(),
        rules change: (inout ServiceSettings) -> Void = { _ in }
    ) async throws {
        clock = VirtualClock()
        folder = try Self.makeFolder()
        // Whether a second connection is opened would depend on when the first is free again.
        let store = try SQLiteStore(path: folder + "/posthorn.sqlite", readers: 1)
        let created = try await Self.makeApp(in: store, at: clock.date)
        (app, masterSecret) = (created.app, created.masterSecret)
        var ports = ServicePorts(
            store: store,
            keys: Self.keys,
            sender: sender,
            certificates: NoCertificates(),
            clock: clock,
            logger: silence
        )
        ports.random = { 0.5 }
        var settings = ServiceSettings()
        settings.link.registrationsPerMinute = 0
        change(&settings)
        core = try await ServiceCore(ports, settings)
    }

    /// Makes a folder of its own.
    static func makeFolder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "posthorn-roads-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.path
    }

    /// Creates an app.
    static func makeApp(in store: SQLiteStore, at date: Date) async throws -> (app: App, masterSecret: String) {
        let created = try await store.createApp(
            name: "app",
            bundleID: "com.example.app",
            defaultEnvironment: .production,
            at: date,
            using: SplitMix(seed: 1)
        )
        return (created.app, created.masterSecret)
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

    /// Adds devices to the app in the store.
    func importDevices(_ rows: [DeviceImport]) async throws {
        let answer = try await core.importer.add(rows, of: app.id, environment: .production)
        guard answer.created == rows.count else { throw UnexpectedAnswer("Of the devices \(answer.created) are new.") }
    }

    /// What a device registers with.
    func registration(_ number: Int) -> SDKRegistration {
        SDKRegistration(
            appKey: app.key.text,
            bundleID: app.bundleID,
            channel: nil,
            environment: .production,
            system: "iOS 17.0",
            installation: "installation\(number)"
        )
    }

    /// Serves the REST API and the SDK link, and runs `body`. Nothing is sent to APNs.
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
        // Not awaited, and not ended before the process: the end of a group of services may wait for a lock that its only thread holds.
        Task {
            do { try await services.run() } catch { FileHandle.standardError.write(Data("\(error)\n".utf8)) }
            running.finish()
        }
        var isServed = false
        for await port in ports.prefix(1) {
            try await body(port)
            isServed = true
        }
        guard isServed else { throw UnexpectedAnswer("The service has ended.") }
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
