import Crypto
import Foundation
import GRDB
import Logging
import PushClock
import PushModel
import PushService
import PushStoreSQLite
import Synchronization
import TestSupport
import Testing

let testKeys = ServiceKeys(secret: SymmetricKey(data: Data(repeating: 7, count: 32)))

/// Copies the files that a process would leave behind if it were killed now.
func copyStore(_ folder: URL, to other: URL) throws {
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    for name in ["posthorn.sqlite", "posthorn.sqlite-wal"] {
        try FileManager.default.copyItem(at: folder.appending(path: name), to: other.appending(path: name))
    }
}

/// The service's own events as they happen.
struct Observation: Sendable {
    var kind: JourneyEvent.Kind
    var apnsID: String
}

private struct Observer: JourneySink {
    let seen: Recorder<Observation>

    func record(_ event: JourneyEvent, of subject: JourneySubject) {
        guard case .push(let apnsID) = subject else { return }
        seen.add(Observation(kind: event.kind, apnsID: apnsID))
    }
}

/// Finds nothing in any file: certificates are tried with the real gateway, in the journeys.
struct NoCertificates: CredentialInspector {
    func inspect(_ file: [UInt8], passPhrase: String) throws(UnusableCertificate) -> InspectedFile {
        throw UnusableCertificate("It is no PKCS#12 bundle.")
    }
}

extension ServicePorts {
    /// The ports of a service whose APNs is played by a script.
    static func scripted(
        _ store: any PushStore,
        _ sender: ScriptedSender,
        _ clock: any CivilClock,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) -> Self {
        var ports = Self(
            store: store,
            keys: testKeys,
            sender: sender,
            certificates: NoCertificates(),
            clock: clock,
            logger: logger
        )
        ports.random = { 1 }
        return ports
    }
}

/// A whole service over a real file, under virtual time, with APNs played by a script.
struct TestService: Sendable {
    let folder: URL
    let clock: VirtualClock
    let store: any PushStore
    let sender: ScriptedSender
    let seen: Recorder<Observation>
    let core: ServiceCore
    let app: App

    /// Runs a service with one app while `body` runs.
    static func run(
        clock: VirtualClock = VirtualClock(),
        sender: ScriptedSender = ScriptedSender(),
        settings: (inout ServiceSettings) -> Void = { _ in },
        _ body: (TestService) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            try await run(in: folder, clock: clock, sender: sender, settings: settings, body)
        }
    }

    /// Runs a service on what lies in `folder`; makes an app if there is none.
    ///
    /// The store is SQLite in `folder`, unless one is `given`. `set` is the service's clock if its calendar differs from that of `clock`.
    static func run(
        in folder: URL,
        on given: (any PushStore)? = nil,
        clock: VirtualClock,
        set: SetClock? = nil,
        sender: ScriptedSender = ScriptedSender(),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        callbacks: (any CallbackSender)? = nil,
        settings change: (inout ServiceSettings) -> Void = { _ in },
        _ body: (TestService) async throws -> Void
    ) async throws {
        let store = try given ?? SQLiteStore(path: folder.appending(path: "posthorn.sqlite").path)
        if try await store.apps().isEmpty { _ = try await createApp("com.example.first", in: store, at: clock.date) }
        let app = try #require(try await store.apps().first)
        let seen = Recorder<Observation>()
        var ports = ServicePorts.scripted(store, sender, set ?? clock, logger: logger)
        ports.observer = Observer(seen: seen)
        if let callbacks { ports.callbacks = callbacks }
        var settings = ServiceSettings()
        change(&settings)
        let core = try await ServiceCore(ports, settings)
        let service = TestService(
            folder: folder,
            clock: clock,
            store: store,
            sender: sender,
            seen: seen,
            core: core,
            app: app
        )
        await service.whileRunning { try await body(service) }
    }

    private func whileRunning(_ body: () async throws -> Void) async {
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await core.dispatcher.run() }
            group.addTask { try await core.journeyLog.run() }
            group.addTask { try await core.links.run() }
            group.addTask { try await core.scheduleRunner.run() }
            group.addTask { try await core.callbackRunner.run() }
            do {
                try await body()
            } catch {
                Issue.record(error)
            }
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result, !(error is CancellationError) { Issue.record(error) }
            }
        }
    }

    static func createApp(
        _ bundleID: String,
        in store: any PushStore,
        at date: Date
    ) async throws -> (app: App, masterSecret: String) {
        try await store.createApp(name: bundleID, bundleID: bundleID, defaultEnvironment: .production, at: date)
    }

    /// Makes a second app, which the service comes to know by its first call.
    func addApp() async throws -> App {
        let created = try await Self.createApp("com.example.second", in: store, at: clock.date)
        return try #require(try await core.registry.app(created.app.key))
    }

    /// Makes devices with tokens, in the order of their ordinals.
    @discardableResult
    func addDevices(
        _ count: Int,
        app: App? = nil,
        environment: APNSEnvironment = .production,
        _ change: @escaping @Sendable (inout RegisteredDevice) -> Void = { _ in }
    ) async throws -> [RegisteredDevice] {
        let app = app ?? self.app
        let now = clock.date
        let devices = try await withThrowingTaskGroup(of: RegisteredDevice.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try await store.registerDevice(
                        app: app.id,
                        installation: UUID().uuidString,
                        note: nil,
                        make: { ordinal in
                            RegisteredDevice(
                                id: DeviceID(app: app.id, ordinal: ordinal),
                                installation: "\(ordinal)",
                                secretHash: SecretHash(of: "\(ordinal)"),
                                token: testToken(ordinal, app.id),
                                environment: environment,
                                tokenRegisteredAt: now,
                                lastSeen: now
                            )
                        },
                        change: change
                    )
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        core.registry.apply(devices)
        return devices.sorted { $0.id.ordinal < $1.id.ordinal }
    }

    @discardableResult
    func addDevice(
        app: App? = nil,
        environment: APNSEnvironment = .production,
        _ change: @escaping @Sendable (inout RegisteredDevice) -> Void = { _ in }
    ) async throws -> RegisteredDevice {
        try #require(try await addDevices(1, app: app, environment: environment, change).first)
    }

    /// How many rows a table of the store's file has.
    func rows(in table: String) throws -> Int {
        let database = try DatabaseQueue(path: folder.appending(path: "posthorn.sqlite").path, configuration: .patient)
        return try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
    }

    /// The first column of a question to the store's file.
    func strings(_ sql: String) throws -> [String] {
        let database = try DatabaseQueue(path: folder.appending(path: "posthorn.sqlite").path, configuration: .patient)
        return try database.read { try String.fetchAll($0, sql: sql) }
    }

    /// Writes into the store's file what Posthorn would not.
    func damage(_ sql: String) throws {
        let database = try DatabaseQueue(path: folder.appending(path: "posthorn.sqlite").path, configuration: .patient)
        try database.write { try $0.execute(sql: sql) }
    }

    func push(_ body: String, for app: App? = nil) async throws -> PushResult {
        try await core.acceptor.accept(Array(body.utf8), for: app ?? self.app)
    }

    func refusal(_ body: String, for app: App? = nil) async throws -> JPushError {
        try await #require(throws: JPushError.self) { try await push(body, for: app) }
    }

    func registrationID(_ device: RegisteredDevice) -> RegistrationID { core.registry.registrationID(of: device.id) }

    func journey(_ result: PushResult, _ device: RegisteredDevice) async throws -> Journey {
        try #require(
            try await core.journeys.journey(of: result.messageID, to: registrationID(device), app: app)
        )
    }

    /// Waits until the service has reported this many events of that kind.
    @discardableResult
    func waitFor(
        _ count: Int,
        file: String = #fileID,
        line: Int = #line,
        _ matches: @escaping @Sendable (JourneyEvent.Kind) -> Bool
    ) async throws -> [Observation] {
        try await seen.wait(for: count, file: file, line: line) { matches($0.kind) }
    }

    func waitForSent(_ count: Int, file: String = #fileID, line: Int = #line) async throws {
        try await waitFor(count, file: file, line: line) { $0 == .sent }
    }

    /// Waits, without time, until the dispatcher sleeps; there is nothing to wait for when all is done.
    func untilAsleepOrDone(_ isDone: Bool) async throws {
        if !isDone { try await untilAsleep() }
    }

    /// Waits, without time, until the dispatcher sleeps.
    func untilAsleep(file: String = #fileID, line: Int = #line) async throws {
        try await clock.sleeper(file: file, line: line)
    }
}

func testToken(_ ordinal: DeviceOrdinal, _ app: App.ID) -> DeviceToken {
    DeviceToken(
        bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: app), count: 28)
            + (0..<4).map { UInt8(truncatingIfNeeded: ordinal >> ($0 * 8)) }
    )
}

/// A push to everybody with `ios` members and `options`.
func pushBody(
    ios: String = "\"alert\":\"hi\"",
    audience: String = "\"all\"",
    options: String = "",
    cid: String? = nil
) -> String {
    let cid = cid.map { ",\"cid\":\"\($0)\"" } ?? ""
    return """
        {"platform":"all","audience":\(audience),"notification":{"ios":{\(ios)}},"options":{\(options)}\(cid)}
        """
}

/// The badge in a payload.
func badge(in push: APNSPush) throws -> Int64? {
    try JSONValue(parsing: push.payload).object?["aps"]?.object?["badge"]?.integer
}

extension GRDB.Configuration {
    /// For a test that opens the file of a store. Another connection may be at its end, and then it has the file to itself for a moment.
    static var patient: Self {
        var configuration = Self()
        configuration.busyMode = .timeout(30)
        return configuration
    }
}

/// A virtual clock whose calendar a person may set, as that of a machine.
final class SetClock: CivilClock {
    typealias Instant = VirtualClock.Instant

    let virtual: VirtualClock
    private let offset = Mutex(Duration.zero)

    init(_ virtual: VirtualClock = VirtualClock()) { self.virtual = virtual }

    var now: Instant { virtual.now }
    var minimumResolution: Duration { virtual.minimumResolution }
    var date: Date { virtual.date.addingTimeInterval(offset.withLock(\.self) / .seconds(1)) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await virtual.sleep(until: deadline, tolerance: tolerance)
    }

    /// Sets the calendar; the time that passes stays as it is.
    func set(by duration: Duration) { offset.withLock { $0 += duration } }
}
