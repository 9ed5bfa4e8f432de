import ArgumentParser
import DeviceLink
import DeviceLinkNIO
import Foundation
import NIOPosix
import NetworkSupport
import PosthornClient
import PosthornStack
import PushModel
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct BenchClients: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients",
        abstract: "Measures many clients of the service on real sockets: register, name, message, second start.",
        discussion: """
            Starts `posthorn serve` in its own process. Each client is a PosthornClient with a store and a link of its own, over \
            which all of its calls go. Exits with 0 if each operation was answered once, the service has each client once with \
            its own alias and tags, and each got the message once and has reported that once.
            """
    )

    @Option(help: "Number of clients.")
    var clients = 10_000

    @OptionGroup var output: BenchOutput

    func validate() throws {
        guard 1...100_000 ~= clients else {
            throw ValidationError("--clients is \(clients); expected 1 to 100000.")
        }
    }

    func run() async throws {
        let files = OpenFileLimit.raise()
        guard files > clients + 100 else {
            throw ValidationError(
                "This process may open \(files) files; \(clients) clients need more. Raise 'ulimit -n'."
            )
        }
        let service = try BenchService.start()
        defer { service.process.stop() }
        let all = try (0..<clients).map { try BenchClient(number: $0, service: service) }
        try await measure("register", service) {
            // A few hundred at a time: a listener's backlog holds no more.
            for start in stride(from: 0, to: clients, by: 500) {
                let some = all[start..<min(start + 500, clients)]
                for client in some { client.start() }
                try await BenchCouriers.patiently("register", every: .milliseconds(2)) {
                    some.allSatisfy(\.isRegistered)
                }
            }
        }
        try await measure("names", service) {
            for client in all { client.setNames() }
            try await BenchCouriers.patiently("set their names") { all.allSatisfy { $0.answers >= 2 } }
        }
        let message = try await measure("message", service) {
            let sent = try await service.sendMessage()
            try await BenchCouriers.patiently("get the message and report it") {
                all.allSatisfy { $0.messages >= 1 && $0.isSettled }
            }
            return sent
        }
        let ids = all.map(\.id)
        try await measure("restart", service) {
            for start in stride(from: 0, to: clients, by: 500) {
                let some = all[start..<min(start + 500, clients)]
                for client in some { try client.restart() }
                try await BenchCouriers.patiently("start again", every: .milliseconds(2)) {
                    some.allSatisfy(\.isLoggedIn)
                }
            }
        }
        var wrong =
            all.count { $0.answers != 2 || $0.failures > 0 || $0.messages != 1 } + (ids == all.map(\.id) ? 0 : 1)
        wrong += try await service.failures(of: all, message: message)
        output.tell("result", figures: [("clients", .number(clients)), ("wrong", .number(wrong))])
        guard wrong == 0 else {
            printNote("\(wrong) clients have lost or repeated something.")
            throw ExitCode.failure
        }
    }

    /// Tells the rate of a phase, and CPU time and memory for one client, at the clients and at the service.
    private func measure<Result>(
        _ name: String,
        _ service: BenchService,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let before = try (BenchProcess.cpuSeconds(of: "self"), service.process.cpuSeconds())
        let start = ContinuousClock.now
        let result = try await body()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let own = (try BenchProcess.cpuSeconds(of: "self") - before.0) / Double(clients) * 1e6
        let its = (try service.process.cpuSeconds() - before.1) / Double(clients) * 1e6
        output.tell(
            name,
            figures: [
                ("perSecond", .number(Int(Double(clients) / seconds))),
                ("clientMicroseconds", .number(Int(own))), ("serviceMicroseconds", .number(Int(its))),
                ("clientBytes", .number(try BenchProcess.residentBytes(of: "self") / clients)),
                ("serviceBytes", .number(try service.process.residentBytes() / clients)),
            ]
        )
        return result
    }
}

/// A `posthorn serve` in its own process, with an app.
final class BenchService: Sendable {
    static let bundleID = "com.example.many"

    let process: BenchProcess
    let appKey: String
    let link: URL
    private let address: String
    private let authorization: String

    private init(_ process: BenchProcess, app: JSONObject) throws {
        guard let address = process.announcement["url"]?.string, let key = app["app_key"]?.string,
            let link = process.announcement["link"]?.string.flatMap(URL.init(string:)),
            let secret = app["master_secret"]?.string
        else { throw ValidationError("'posthorn serve' printed \(process.announcement).") }
        self.process = process
        self.address = address
        self.link = link
        appKey = key
        authorization = "Basic " + Data("\(key):\(secret)".utf8).base64EncodedString()
    }

    static func start() throws -> BenchService {
        var app: JSONObject = [:]
        let process = try BenchProcess.start { folder in
            let data = folder.appending(path: "service").path
            let settings = folder.appending(path: "settings.json")
            // All clients come from one address.
            let text = """
                {"http": {"callsPerMinute": 10000000, "connections": 15000, "connectionsPerAddress": 15000},
                "link": {"registrationsPerMinute": 0}}
                """
            try Data(text.utf8).write(to: settings)
            app = try BenchProcess.answer(
                ["app", "create", "--data", data, "--name", "many", "--bundle-id", bundleID, "--json"]
            )
            return [
                "serve", "--data", data, "--port", "0", "--config", settings.path, "--json", "--log-level", "error",
            ]
        }
        return try BenchService(process, app: app)
    }

    private func call(_ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        guard let url = URL(string: address + path) else { throw ValidationError("\(path) is no path.") }
        var request = URLRequest(url: url)
        request.setValue(authorization, forHTTPHeaderField: "Authorization")
        if let body {
            request.httpMethod = "POST"
            request.httpBody = Data(body.text.utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        let (data, _) = try await PhoneNetwork(reachesMachine: true).fetch(request, 1_048_576)
        return try JSONValue(parsing: Array(data))
    }

    /// Sends a custom message to all devices, and returns its number.
    func sendMessage() async throws -> String {
        let body: JSONValue = ["platform": "all", "audience": "all", "message": ["msg_content": "Hello"]]
        return try await call("/v3/push", body).object?["msg_id"]?.string ?? ""
    }

    /// Returns the number of clients that the service has not once, with their own tags, and one more if receipts are lost or
    /// counted twice.
    func failures(of clients: [BenchClient], message: String) async throws -> Int {
        var failures = 0
        for client in clients {
            let ids = try await call("/v3/aliases/\(client.alias)").object?["registration_ids"]?.array ?? []
            let tags = try await call("/v3/devices/\(client.id)").object?["tags"]?.array ?? []
            if ids != [.string(client.id)] || Set(tags) != Set(client.tags.map { .string($0) }) { failures += 1 }
        }
        let report = try await call("/v3/received/detail?msg_ids=\(message)").array?.first?.object
        let received = report?["ios_msg_received"]?.integer ?? 0
        return failures + (received == clients.count ? 0 : 1)
    }
}

/// A client with a store and links of its own.
final class BenchClient: Sendable, StateStore, MessageSocketOpener {
    private struct State {
        var client: PosthornClient?
        var values: [String: Data] = [:]
        var answers = 0
        var failures = 0
        var messages = 0
        var isSettled = false
        var isLoggedIn = false
    }

    private struct Link: MessageSocket {
        let connection: any LinkConnection

        func send(_ text: String) { connection.send(text) }
        func ping() { connection.ping() }
        func close() { connection.close() }
    }

    private static let dialer = WebSocketDialer(group: MultiThreadedEventLoopGroup.singleton)

    let alias: String
    let tags: [String]
    private let service: BenchService
    private let state = Mutex(State())

    init(number: Int, service: BenchService) throws {
        alias = "user\(number)"
        tags = ["all", "group\(number % 100)"]
        self.service = service
        makeClient()
    }

    private func makeClient() {
        var values = DeviceValues(environment: .production, system: "iOS 17.0")
        values.appVersion = "1.0"
        let configuration = PosthornConfiguration(
            link: service.link,
            opener: self,
            appKey: service.appKey,
            bundleID: BenchService.bundleID,
            values: values,
            store: self
        )
        let client = PosthornClient(configuration)
        client.onNetwork { [weak self] event in
            if event == .loggedIn { self?.state.withLock { $0.isLoggedIn = true } }
        }
        client.onMessage { [weak self] in self?.received($0.id) }
        state.withLock { state in
            state.client = client
            state.isLoggedIn = false
        }
    }

    private var client: PosthornClient? { state.withLock(\.client) }
    var id: String { client?.currentRegistration?.id ?? "" }
    var isRegistered: Bool { !id.isEmpty && isLoggedIn }
    var isLoggedIn: Bool { state.withLock(\.isLoggedIn) }
    var isSettled: Bool { state.withLock(\.isSettled) }
    var answers: Int { state.withLock(\.answers) }
    var failures: Int { state.withLock(\.failures) }
    var messages: Int { state.withLock(\.messages) }

    func start() {
        client?.setInFront(true)
        client?.start()
    }

    /// Ends the client as with its process, and starts another one over the same store.
    func restart() throws {
        state.withLock { $0.client = nil }
        makeClient()
        start()
    }

    func setNames() {
        client?.perform(.setTags(tags)) { [weak self] in self?.answered($0) }
        client?.perform(.setAlias(alias)) { [weak self] in self?.answered($0) }
    }

    private func answered(_ result: Result<DeviceAnswer, PosthornError>) {
        state.withLock { state in
            state.answers += 1
            if case .failure = result { state.failures += 1 }
        }
    }

    private func received(_ message: Int64) {
        state.withLock { $0.messages += 1 }
        client?.report(.received, of: message)
        client?.flush { [weak self] isSent in self?.state.withLock { $0.isSettled = isSent } }
    }

    // MARK: Ports

    func data(for key: String) throws -> Data? { state.withLock { $0.values[key] } }

    func set(_ data: Data?, for key: String, done: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        state.withLock { $0.values[key] = data }
        done(.success(()))
    }

    func keys() throws -> [String] { state.withLock { $0.values.keys.sorted() } }

    func open(_ url: URL, event: @escaping @Sendable (SocketEvent) -> Void) -> any MessageSocket {
        Link(
            connection: Self.dialer.open(url.absoluteString) { happened in
                switch happened {
                case .opened: event(.opened)
                case .received(let text): event(.received(text))
                case .closed(let reason): event(.closed(reason))
                }
            }
        )
    }
}
