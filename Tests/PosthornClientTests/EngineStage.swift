import Foundation

@testable import PosthornClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client whose ports a test holds in its hands: nothing happens but in the turn of a call, an answer or a ringing timer.
final class EngineStage: ClientClock, ClientExecutor, MessageSocketOpener, ServiceTransport, StateStore {
    struct Timer {
        var id: Int
        var delay: Int
        var ring: @Sendable () -> Void
    }

    private struct State {
        var lastTimer = 0
        var timers: [Timer] = []
        var resumed: [@Sendable () -> Void] = []
        var values: [String: Data] = [:]
        var writes: [@Sendable () -> Void] = []
        var writesLeft = Int.max
        var isSlow = false
        var isLocked = false
        var requests: [(URLRequest, @Sendable (Result<ServiceAnswer, any Error>) -> Void)] = []
        var sent: [String] = []
        var frames: [(String, @Sendable (SocketEvent) -> Void)] = []
    }

    private let state = Guarded(State())

    func client(on phone: (any StateStore)? = nil, overLink: Bool = false) throws -> PosthornClient {
        var configuration = try configuration()
        if overLink {
            configuration.transport = nil
            configuration.socketOpener = self
        }
        configuration.phone = phone
        return PosthornClient(configuration)
    }

    func configuration() throws -> PosthornConfiguration {
        let service = URL(string: "https://push.example.com")
        var configuration = try PosthornConfiguration(
            service: service ?? URL(fileURLWithPath: "/"),
            appKey: "key",
            bundleID: "com.example.app",
            values: ClientStage.values,
            store: self
        )
        configuration.clock = self
        configuration.executor = self
        configuration.transport = self
        return configuration
    }

    // MARK: Time

    /// The delays of the timers that run, in milliseconds.
    var delays: [Int] { state.with { $0.timers.map(\.delay).sorted() } }

    func timer(after milliseconds: Int, _ ring: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let id = state.with { state in
            state.lastTimer += 1
            state.timers.append(Timer(id: state.lastTimer, delay: milliseconds, ring: ring))
            return state.lastTimer
        }
        return { [self] in state.with { $0.timers.removeAll { $0.id == id } } }
    }

    /// Lets the timers with this delay ring.
    func ring(_ delay: Int) {
        let due = state.with { state in
            defer { state.timers.removeAll { $0.delay == delay } }
            return state.timers.filter { $0.delay == delay }
        }
        for timer in due { timer.ring() }
    }

    func run(_ work: @escaping @Sendable () -> Void) { work() }

    func resume(_ work: @escaping @Sendable () -> Void) { state.with { $0.resumed.append(work) } }

    // MARK: The store

    /// Whether writes end with ``finishWrite()`` only.
    func setSlow(_ isSlow: Bool) { state.with { $0.isSlow = isSlow } }

    /// Whether the store cannot be read.
    func setLocked(_ isLocked: Bool) { state.with { $0.isLocked = isLocked } }

    /// Lets so many more writes reach the disk, and no other; nil for all.
    func setWrites(_ count: Int?) { state.with { $0.writesLeft = count ?? .max } }

    var values: [String: Data] { state.with { $0.values } }

    func write(_ text: String, for key: String) { state.with { $0.values[key] = Data(text.utf8) } }

    func data(for key: String) throws -> Data? {
        if state.with({ $0.isLocked }) { throw CocoaError(.fileReadNoPermission) }
        return values[key]
    }

    func set(_ data: Data?, for key: String, done: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        let result = state.with { state -> Result<Void, any Error>? in
            let isFull = state.writesLeft <= 0
            if !isFull { state.values[key] = data }
            state.writesLeft -= 1
            let result: Result<Void, any Error> = isFull ? .failure(CocoaError(.fileWriteOutOfSpace)) : .success(())
            if state.isSlow { state.writes.append { done(result) } }
            return state.isSlow ? nil : result
        }
        if let result { done(result) }
    }

    func keys() throws -> [String] { values.keys.sorted() }

    /// Ends the oldest write, and gives the client the turn for which that asks.
    func finishWrite() {
        state.with { $0.writes.isEmpty ? nil : $0.writes.removeFirst() }?()
        let turns = state.with { state in
            defer { state.resumed = [] }
            return state.resumed
        }
        for turn in turns { turn() }
    }

    // MARK: The link

    func open(_ url: URL, event: @escaping @Sendable (SocketEvent) -> Void) -> any MessageSocket {
        event(.opened)
        return Socket(stage: self, event: event)
    }

    fileprivate func add(_ frame: String, _ event: @escaping @Sendable (SocketEvent) -> Void) {
        state.with { $0.frames.append((frame, event)) }
    }

    /// Removes the oldest frame, for the test to answer on its link.
    func takeFrame() -> (String, @Sendable (SocketEvent) -> Void)? {
        state.with { $0.frames.isEmpty ? nil : $0.frames.removeFirst() }
    }

    // MARK: The service

    /// All requests so far: the method, the last part of the address, and the query.
    var sent: [String] { state.with { $0.sent } }

    func send(
        _ request: URLRequest,
        completion: @escaping @Sendable (Result<ServiceAnswer, any Error>) -> Void
    ) {
        state.with { state in
            let query = request.url?.query.map { "?\($0)" } ?? ""
            state.sent.append("\(request.httpMethod ?? "") \(request.url?.lastPathComponent ?? "")\(query)")
            state.requests.append((request, completion))
        }
    }

    /// Removes the oldest request, for the test to answer.
    func takeRequest() -> (URLRequest, @Sendable (Result<ServiceAnswer, any Error>) -> Void)? {
        state.with { $0.requests.isEmpty ? nil : $0.requests.removeFirst() }
    }

    /// The process that waits for these is gone.
    func dropRequests() {
        state.with { state in
            state.requests = []
            state.frames = []
        }
    }

    /// Answers the oldest request.
    func answer(_ body: String, status: Int = 200) {
        let request = state.with { $0.requests.isEmpty ? nil : $0.requests.removeFirst() }
        request?.1(.success(ServiceAnswer(status: status, body: Data(body.utf8))))
    }

    static let registered = #"{"registration_id":"id","secret":"s","has_token":true}"#
}

private final class Socket: MessageSocket {
    private let stage: EngineStage
    private let event: @Sendable (SocketEvent) -> Void

    init(stage: EngineStage, event: @escaping @Sendable (SocketEvent) -> Void) {
        self.stage = stage
        self.event = event
    }

    func send(_ text: String) { stage.add(text, event) }

    func ping() {}

    func close() {}
}
