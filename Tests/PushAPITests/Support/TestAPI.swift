import Crypto
import Foundation
import Hummingbird
import Logging
import NetworkSupport
import PushAPI
import PushClock
import PushModel
import PushService
import PushStoreSQLite
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

/// APNs says yes to everything.
private struct Agreeable: PushSender {
    func send(_ batch: SendBatch, for app: App, environment: APNSEnvironment) async -> SendOutcomes {
        SendOutcomes(all: batch.count, SendOutcome(.sent))
    }

    func connections() async -> [SenderConnections] { [] }
}

/// Finds nothing in any file: certificates are tried with the real gateway, in the journeys.
struct NoCertificates: CredentialInspector {
    func inspect(_ file: [UInt8], passPhrase: String) throws(UnusableCertificate) -> InspectedFile {
        throw UnusableCertificate("It is no PKCS#12 bundle.")
    }
}

/// The service behind a real socket.
struct TestAPI: Sendable {
    static let operatorToken = "a token of more than twenty letters"
    let port: Int
    let clock: VirtualClock
    let core: ServiceCore
    let app: App
    let masterSecret: String
    let face: PushAPI
    /// For the calls that come one after the other.
    private let connection = KeptConnection()
    /// Ends the service as a signal would, while `body` still runs.
    let shutDown: @Sendable () async -> Void

    /// Runs the service while `body` runs, and ends it as a signal would.
    static func run(
        callLimits: CallLimits = .all(60_000),
        firstRequestLimit: Duration = .seconds(30),
        tls: ServerTLS? = nil,
        rules changeRules: (inout ServiceSettings) -> Void = { _ in },
        inspector: any CredentialInspector = NoCertificates(),
        tester: (any CredentialTester)? = nil,
        log: MemoryLog? = nil,
        settings change: (inout PushAPI.Settings) -> Void = { _ in },
        _ body: (TestAPI) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let store = try SQLiteStore(path: folder.appending(path: "posthorn.sqlite").path)
            let created = try await store.createApp(
                name: "App",
                bundleID: "com.example.app",
                defaultEnvironment: .production,
                at: clock.date
            )
            let logger = log?.logger ?? Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            var own = ServicePorts(
                store: store,
                keys: ServiceKeys(secret: SymmetricKey(data: Data(repeating: 7, count: 32))),
                sender: Agreeable(),
                certificates: inspector,
                clock: clock,
                logger: logger
            )
            own.tester = tester
            var rules = ServiceSettings()
            changeRules(&rules)
            let core = try await ServiceCore(own, rules)
            let (ports, running) = AsyncStream<Int>.makeStream()
            var settings = PushAPI.Settings()
            settings.callLimits = callLimits
            settings.firstRequestLimit = firstRequestLimit
            settings.tls = tls
            // Most tests ask what a login that fails is answered with, and more than once.
            settings.failedLogins = .max
            settings.operatorToken = SecretHash(of: operatorToken)
            change(&settings)
            let api = PushAPI(core: core, settings: settings, logger: logger)
            let application = api.application { running.yield($0) }
            let services = ServiceGroup(
                services: [core.dispatcher, core.scheduleRunner, core.journeyLog, core.links, application],
                logger: logger
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await services.run() }
                for await port in ports.prefix(1) {
                    let test = TestAPI(
                        port: port,
                        clock: clock,
                        core: core,
                        app: created.app,
                        masterSecret: created.masterSecret,
                        face: api,
                        shutDown: { await services.triggerGracefulShutdown() }
                    )
                    group.addTask { await test.connection.run(port) }
                    do { try await body(test) } catch { Issue.record(error) }
                    test.connection.end()
                }
                await services.triggerGracefulShutdown()
                try await group.waitForAll()
            }
        }
    }

    var authorization: String { Self.basic("\(app.key):\(masterSecret)") }

    static func basic(_ pair: String) -> String { "Basic \(Data(pair.utf8).base64EncodedString())" }

    /// The text of a request.
    func request(
        _ method: String,
        _ target: String,
        _ body: String? = nil,
        authorization: String?? = .none,
        headers: String...
    ) -> String {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1"] + headers
        if let value = authorization ?? self.authorization { lines.append("Authorization: \(value)") }
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    }

    /// One request, on a connection of its own while another is under way.
    func call(
        _ method: String,
        _ target: String,
        _ body: String? = nil,
        authorization: String?? = .none
    ) async throws -> Answer {
        let request = request(method, target, body, authorization: authorization)
        let isHead = method == "HEAD"
        if let answer = try await connection.answer(to: request, isHead: isHead) { return answer }
        return try await RawConnection.open(port) { connection in
            try await connection.send(request)
            return try await connection.answer(toHead: isHead)
        }
    }

    @discardableResult
    func addDevice() async throws -> RegisteredDevice {
        let now = clock.date
        let app = app.id
        let device = try await core.store.registerDevice(
            app: app,
            installation: UUID().uuidString,
            note: nil,
            make: { ordinal in
                RegisteredDevice(
                    id: DeviceID(app: app, ordinal: ordinal),
                    installation: "\(ordinal)",
                    secretHash: SecretHash(of: "s"),
                    token: DeviceToken(bytes: [UInt8](repeating: UInt8(ordinal), count: 32)),
                    environment: .production,
                    tokenRegisteredAt: now,
                    lastSeen: now
                )
            },
            change: { _ in }
        )
        core.registry.apply([device])
        return device
    }
}

let hello =
    "{\"platform\":\"all\",\"audience\":\"all\",\"notification\":{\"alert\":\"hi\"},\"options\":{\"sendno\":18}}"
