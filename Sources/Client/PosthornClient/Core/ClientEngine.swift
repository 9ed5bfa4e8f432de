import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The shell around ``ClientState``: a queue, a store, a transport and timers.
///
/// `@unchecked Sendable`: `state`, `socket` and the waiting callers are used on `queue` only, but for the copies behind locks.
final class ClientEngine: @unchecked Sendable {
    typealias Completion = @Sendable (Result<DeviceAnswer, PosthornError>) -> Void
    typealias IdentityCompletion = @Sendable (Result<Registration, PosthornError>) -> Void

    /// The names of the values in the store.
    enum Key {
        static let state = "state"
        /// Begins the names of receipts that an extension has reported.
        static let receipt = "receipt-"
    }

    let configuration: PosthornConfiguration
    /// The mistake in the app's settings, for which nothing is sent.
    private let mistake: PosthornError?
    let wire: ServiceWire
    /// All work of the client; never the main thread's.
    let queue = DispatchQueue(label: "posthorn.client")
    /// The state as it was saved last, for readers on any thread.
    let current = Guarded<SavedState?>(nil)
    let handlers = Guarded(Handlers())

    private var state: ClientState?
    /// Changes that wait until the store can be read.
    private var early: [@Sendable (inout ClientState) -> Void] = []
    private var link: (any MessageSocket)?
    private var callers: [Int: Completion] = [:]
    private var lastCaller = 0
    private var identityWaiters: [IdentityCompletion] = []
    private var leaveWaiters: [@Sendable () -> Void] = []
    private var settleWaiters: [Int: @Sendable (Bool) -> Void] = [:]

    /// The app's handlers.
    struct Handlers: Sendable {
        var onMessage: (@Sendable (CustomMessage) -> Void)?
        /// Messages that arrived before there was a handler.
        var early: [CustomMessage] = []
        var onTokenWanted: (@Sendable () -> Void)?
        var onIdentity: (@Sendable (Result<Registration, PosthornError>, Bool) -> Void)?
    }

    init(_ configuration: PosthornConfiguration, mistake: PosthornError? = nil) {
        self.configuration = configuration
        self.mistake = mistake
        wire = ServiceWire(service: configuration.service, bundleID: configuration.bundleID)
        queue.async { [self] in load() }
    }

    // MARK: Start

    /// The seconds after which a store that cannot be read is tried again.
    private static let storeRetry: TimeInterval = 5

    /// Reads the store. One that cannot be read is tried again, and nothing happens until then: a phone that was restarted and not
    /// yet unlocked keeps its files closed, and a second identity would lose the first one.
    private func load() {
        guard state == nil else { return }
        do {
            let data = try configuration.store.data(for: Key.state)
            let saved =
                data.flatMap(decode) ?? SavedState(installation: UUID().uuidString, appKey: configuration.appKey)
            current.with { $0 = saved }
            state = ClientState(saved: saved, backoff: configuration.backoff, random: SystemRandomNumberGenerator())
            state?.socket.isUsed = configuration.socketOpener != nil
            state?.socket.interval = configuration.messageInterval
        } catch {
            configuration.log("The client's stored state cannot be read now: \(error)")
            queue.asyncAfter(deadline: .now() + Self.storeRetry) { [weak self] in self?.load() }
            return
        }
        let waiting = early
        early = []
        for body in waiting { apply(body) }
    }

    private func decode(_ data: Data) -> SavedState? {
        do {
            return try JSONDecoder().decode(SavedState.self, from: data)
        } catch {
            // Registering again is better than an app without pushes.
            configuration.log("The client's stored state is damaged, and begins anew: \(error)")
            return nil
        }
    }

    /// Runs a change of the state on the queue, with what is to be done after it.
    func update(_ body: @escaping @Sendable (inout ClientState) -> Void) { queue.async { [self] in apply(body) } }

    private func apply(_ body: @escaping @Sendable (inout ClientState) -> Void) {
        guard var state else { return early.append(body) }
        body(&state)
        let effects = state.takeEffects()
        self.state = state
        for effect in effects { perform(effect) }
    }

    func start() {
        if let mistake { return update { $0.refuse(mistake, "The client sends nothing: \(mistake)") } }
        let configuration = configuration
        update { $0.start(appKey: configuration.appKey, values: configuration.values) }
        collectReceipts()
    }

    /// Takes over the receipts that a service extension has left. They are removed once the state has them; one that is taken
    /// twice counts once.
    func collectReceipts() {
        queue.async { [self] in
            do {
                let store = configuration.store
                let keys = try store.keys().filter { $0.hasPrefix(Key.receipt) }
                let found = keys.compactMap { key in
                    (try? store.data(for: key)).flatMap { try? JSONDecoder().decode(Receipt.self, from: $0) }
                }
                guard !keys.isEmpty, state != nil else { return }
                apply { $0.report(found) }
                for key in keys { try store.set(nil, for: key) }
            } catch {
                configuration.log("The receipts of the service extension cannot be read: \(error)")
            }
        }
    }

    // MARK: Waiting callers

    func request(_ operation: DeviceOperation, _ completion: Completion?) {
        queue.async { [self] in
            guard let completion else { return apply { $0.request(operation, caller: nil) } }
            lastCaller += 1
            let caller = lastCaller
            callers[caller] = completion
            queue.asyncAfter(deadline: .now() + configuration.patience) { [weak self] in self?.giveUp(caller) }
            apply { $0.request(operation, caller: caller) }
        }
    }

    private func giveUp(_ caller: Int) {
        guard let completion = callers.removeValue(forKey: caller) else { return }
        apply { $0.gaveUp(caller) }
        let message = "The service has not answered in time; the call is sent later."
        completion(.failure(PosthornError(code: PosthornError.notSentYet, message: message)))
    }

    func whenRegistered(_ completion: @escaping IdentityCompletion) {
        queue.async { [self] in
            if case .refused(let error) = state?.phase { return completion(.failure(error)) }
            guard let registration = state?.saved.registration, state?.saved.isLeaving == false else {
                return identityWaiters.append(completion)
            }
            completion(.success(registration))
        }
    }

    func leave(_ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            leaveWaiters.append(completion)
            apply { $0.leave() }
        }
    }

    /// Calls `completion` when everything has been sent, with true, or when that has failed or taken too long, with false.
    func whenSettled(within limit: TimeInterval, _ completion: @escaping @Sendable (Bool) -> Void) {
        queue.async { [self] in
            lastCaller += 1
            let caller = lastCaller
            settleWaiters[caller] = completion
            queue.asyncAfter(deadline: .now() + limit) { [weak self] in
                self?.settleWaiters.removeValue(forKey: caller)?(false)
            }
            apply { $0.retryNow() }
        }
    }

    // MARK: Effects

    private func perform(_ effect: ClientState.Effect) {
        switch effect {
        case .save(let saved): save(saved)
        case .call(let call, let number): perform(call, number)
        case .wake(let delay, let number):
            queue.asyncAfter(deadline: .now() + delay) { [weak self] in self?.apply { $0.woken(number) } }
        case .answer(let asking, let result):
            for caller in asking { callers.removeValue(forKey: caller)?(result) }
        case .identity(let result, let isNew):
            let waiting = identityWaiters
            identityWaiters = []
            for waiter in waiting { waiter(result) }
            handlers.with { $0.onIdentity }?(result, isNew)
        case .left:
            let waiting = leaveWaiters
            leaveWaiters = []
            for waiter in waiting { waiter() }
        case .tokenWanted: handlers.with { $0.onTokenWanted }?()
        case .deliver(let message): deliver(message)
        case .settled(let isSent):
            let waiting = settleWaiters
            settleWaiters = [:]
            for waiter in waiting.values { waiter(isSent) }
        case .log(let line): configuration.log(line)
        case .socket(let action): perform(action)
        }
    }

    private func save(_ saved: SavedState) {
        current.with { $0 = saved }
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            try configuration.store.set(encoder.encode(saved), for: Key.state)
        } catch {
            configuration.log("The client's state cannot be stored, so the next process may repeat calls: \(error)")
        }
    }

    private func perform(_ call: ServiceCall, _ number: Int) {
        guard let saved = state?.saved, let request = wire.request(for: call, state: saved) else { return }
        configuration.transport.send(request) { [weak self] result in
            guard let self else { return }
            let outcome = self.wire.outcome(of: call, result)
            self.update { $0.finished(number, outcome) }
        }
    }

    private func deliver(_ message: CustomMessage) {
        let handler = handlers.with { handlers in
            if handlers.onMessage == nil { handlers.early.append(message) }
            return handlers.onMessage
        }
        handler?(message)
    }

    private func perform(_ action: SocketState.Action) {
        switch action {
        case .open(let number):
            guard let opener = configuration.socketOpener, let url = wire.link else {
                return update { $0.socketClosed(number) }
            }
            link = opener.open(url) { [weak self] event in
                self?.update { state in
                    switch event {
                    case .opened: state.socketOpened(number)
                    case .received(let text): state.socketReceived(text, on: number)
                    case .closed: state.socketClosed(number)
                    }
                }
            }
        case .send(let text): link?.send(text)
        case .close:
            link?.close()
            link = nil
        case .wait(let delay, let number):
            queue.asyncAfter(deadline: .now() + delay) { [weak self] in self?.apply { $0.socketWaited(number) } }
        }
    }
}
