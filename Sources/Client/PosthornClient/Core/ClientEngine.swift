import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The shell around ``ClientState``: it changes the state under a lock and performs the effects outside of it, one at a time, in their
/// order.
final class ClientEngine: Sendable {
    typealias Change = @Sendable (inout ClientState) -> Void
    typealias Completion = @Sendable (Result<DeviceAnswer, PosthornError>) -> Void
    typealias IdentityCompletion = @Sendable (Result<Registration, PosthornError>) -> Void

    /// Begins the names of receipts in the store that an extension has reported.
    static let receiptKey = "receipt-"
    /// The time of an extension's last report, in seconds since 1970.
    static let extensionKey = "extension"

    let configuration: PosthornConfiguration
    /// The mistake in the app's settings, for which nothing is sent.
    private let mistake: PosthornError?
    /// Whether this is a service extension's, which only reports.
    private let isReporter: Bool
    let wire: ServiceWire
    let handlers = Guarded(Handlers())
    private let members = Guarded(Members())

    fileprivate struct Members {
        var state: ClientState?
        /// Changes that wait until the store can be read.
        var early: [Change] = []
        /// The effects that are still to be performed.
        var effects: [ClientState.Effect] = []
        var isRunning = false
        var link: (any MessageSocket)?
        var timers: [ClientTimer: (number: Int, cancel: @Sendable () -> Void)] = [:]
        /// The last number of a caller or a timer.
        var lastNumber = 0
        var callers: [Int: Completion] = [:]
        var identityWaiters: [IdentityCompletion] = []
        var leaveWaiters: [@Sendable () -> Void] = []
        var settleWaiters: [Int: @Sendable (Bool) -> Void] = [:]
    }

    /// The app's handlers.
    struct Handlers: Sendable {
        var reader: Reader?
        var onTokenWanted: (@Sendable () -> Void)?
        var onTakeBack: (@Sendable (TakeBack) -> Void)?
        var onNetwork: (@Sendable (NetworkEvent) -> Void)?
        var onIdentity: (@Sendable (Result<Registration, PosthornError>, Bool) -> Void)?
    }

    /// The app's reader of custom messages.
    struct Reader: Sendable {
        let id: Int
        /// Called when a message waits and the reader has asked for none; its argument asks for it.
        var offer: @Sendable (CustomMessage, _ take: @escaping @Sendable () -> Void) -> Void = { _, _ in }
        let deliver: @Sendable (CustomMessage) -> Void
        /// Called when another reader has come, or this one has ended.
        var end: @Sendable () -> Void = {}
    }

    init(_ configuration: PosthornConfiguration, mistake: PosthornError? = nil, isReporter: Bool = false) {
        self.isReporter = isReporter
        self.configuration = configuration
        self.mistake = mistake
        wire = ServiceWire(service: configuration.service, bundleID: configuration.bundleID)
        // At once: the app may ask for the stored identity next.
        load()
        configuration.watchNetwork? { [weak self] in self?.update { $0.networkReturned() } }
    }

    deinit {
        members.with { members in
            for timer in members.timers.values { timer.cancel() }
            members.link?.close()
        }
    }

    /// The state that outlives the process; nil until the store was read.
    var saved: SavedState? { members.with { $0.state?.saved } }

    var isPushOff: Bool { members.with { $0.state?.saved.isPushOff ?? false } }

    var state: ClientState? { members.with { $0.state } }

    /// The last ten calls with their outcomes, oldest first.
    var lastCalls: [String] { state?.lastCalls.map { "\($0.call.name): \($0.outcome)" } ?? [] }

    // MARK: Start

    /// The milliseconds after which a store that cannot be read is tried again.
    private static let storeRetry = 5000

    /// Reads the store. One that cannot be read is tried again, and nothing happens until then: a phone that was restarted and not
    /// yet unlocked keeps its files closed, and a second identity would lose the first one.
    private func load() {
        do {
            var random = configuration.random
            if let phone = configuration.phone, !isReporter {
                let mark = InstallationMark(store: configuration.store, phone: phone, log: configuration.log)
                try mark.check(orElse: random.uuid())
            }
            let stored = try StoredParts(from: configuration.store, log: configuration.log)
            // The installation gets its name at the start.
            var first = SavedState(installation: "", appKey: configuration.appKey)
            first.wanted = configuration.values
            var state = ClientState(
                stored: stored,
                first: first,
                backoff: configuration.backoff,
                random: random
            )
            state.patience = configuration.patience.milliseconds
            state.socket.isUsed = configuration.socketOpener != nil
            state.socket.interval = configuration.messageInterval
            state.socket.callsOverLink = configuration.transport == nil
            state.socket.bundleID = configuration.bundleID
            let loaded = state
            members.with { $0.begin(with: loaded) }
            pump()
        } catch {
            configuration.log("The client's stored state cannot be read now: \(error)")
            set(.load, after: Self.storeRetry)
        }
    }

    /// Changes the state, and performs the effects.
    func update(_ body: @escaping Change) {
        configuration.executor.run { [self] in apply(body) }
    }

    private func apply(_ body: @escaping Change) {
        members.with { $0.apply(body) }
        pump()
    }

    /// - Parameters:
    ///   - appKey: the app's key; nil for that of the configuration.
    ///   - channel: the channel; nil for that of the configuration.
    func start(appKey: String? = nil, channel: String? = nil) {
        let appKey = appKey ?? configuration.appKey
        let empty = PosthornError(code: PosthornError.malformedAppKey, message: "The app key is empty.")
        if let mistake = mistake ?? (appKey.isEmpty ? empty : nil) {
            return update { $0.refuse(mistake, "The client sends nothing: \(mistake)") }
        }
        var values = configuration.values
        values.channel = channel ?? values.channel
        update { [values] in $0.start(appKey: appKey, values: values) }
        collectReceipts()
    }

    /// Takes over the receipts that a service extension has left. They are removed once the state has them; one that is taken
    /// twice counts once.
    func collectReceipts() {
        configuration.executor.run { [self] in
            do {
                let store = configuration.store
                let keys = try store.keys().filter { $0.hasPrefix(Self.receiptKey) }
                let found = keys.compactMap { key in
                    (try? store.data(for: key)).flatMap { try? JSONDecoder().decode(Receipt.self, from: $0) }
                }
                guard !keys.isEmpty, saved != nil else { return }
                apply { $0.report(found, left: keys) }
            } catch {
                configuration.log("The receipts of the service extension cannot be read: \(error)")
            }
        }
    }

    // MARK: Waiting callers

    func request(_ operation: DeviceOperation, keeping: Keeping, _ completion: Completion?) {
        let caller = number(of: completion)
        update { $0.request(operation, keeping: keeping, caller: caller) }
    }

    /// Changes the values of the device; the completion is called once the service has them.
    func change(_ completion: Completion?, _ body: @escaping @Sendable (inout DeviceValues) -> Void) {
        let caller = number(of: completion)
        update { $0.change(caller: caller, body) }
    }

    private func number(of completion: Completion?) -> Int? {
        completion.map { completion in members.with { $0.add(completion, to: \.callers) } }
    }

    func whenRegistered(_ completion: @escaping IdentityCompletion) {
        configuration.executor.run { [self] in
            let known: Result<Registration, PosthornError>? = members.with { members in
                if case .refused(let error) = members.state?.phase { return .failure(error) }
                if let saved = members.state?.saved, let registration = saved.registration, !saved.isLeaving {
                    return .success(registration)
                }
                members.identityWaiters.append(completion)
                return nil
            }
            if let known { completion(known) }
        }
    }

    func leave(_ completion: @escaping @Sendable () -> Void) {
        members.with { $0.leaveWaiters.append(completion) }
        update { $0.leave() }
    }

    /// Calls `completion` when everything has been sent, with true, or when that has failed or taken too long, with false.
    func whenSettled(within limit: TimeInterval, _ completion: @escaping @Sendable (Bool) -> Void) {
        let caller = members.with { $0.add(completion, to: \.settleWaiters) }
        update { $0.flush(caller, within: limit.milliseconds) }
    }

    // MARK: Custom messages

    /// Sets the reader, in place of an earlier one.
    func read(_ demand: MessageInbox.Demand, _ reader: (_ id: Int) -> Reader) {
        let id = members.with { members in
            members.lastNumber += 1
            return members.lastNumber
        }
        let reader = reader(id)
        let before = handlers.with { handlers in
            defer { handlers.reader = reader }
            return handlers.reader
        }
        before?.end()
        update { $0.demand(demand) }
    }

    /// Ends a reader, unless another one has come.
    func endReading(_ id: Int) {
        configuration.executor.run { [self] in
            let ended = handlers.with { handlers -> Reader? in
                guard handlers.reader?.id == id else { return nil }
                defer { handlers.reader = nil }
                return handlers.reader
            }
            guard let ended else { return }
            apply { $0.demand(.noReader) }
            ended.end()
        }
    }

    // MARK: Effects

    /// Performs the effects, unless that is being done: then these follow.
    private func pump() {
        let isFirst = members.with { members in
            defer { members.isRunning = true }
            return !members.isRunning
        }
        if isFirst { performEffects() }
    }

    private func performEffects() {
        while let effect = members.with({ $0.nextEffect() }) {
            guard perform(effect) else { return }
        }
    }

    /// - Returns: false if the next effect has to wait for the store.
    private func perform(_ effect: ClientState.Effect) -> Bool {
        switch effect {
        case .save(let part): return save(part)
        case .remove(let keys): for key in keys { configuration.store.set(nil, for: key) { _ in } }
        case .call(let call, let number): perform(call, number)
        case .set(let timer, let delay): set(timer, after: delay)
        case .cancel(let timer): members.with { $0.timers.removeValue(forKey: timer) }?.cancel()
        case .answer(let asking, let result):
            for caller in asking { members.with { $0.callers.removeValue(forKey: caller) }?(result) }
        case .identity(let result, let isNew):
            for waiter in members.with({ $0.take(\.identityWaiters) }) { waiter(result) }
            handlers.with { $0.onIdentity }?(result, isNew)
        case .left: for waiter in members.with({ $0.take(\.leaveWaiters) }) { waiter() }
        case .tokenWanted: handlers.with { $0.onTokenWanted }?()
        case .offer(let message):
            handlers.with { $0.reader }?.offer(message) { [weak self] in self?.update { $0.demand(.one) } }
        case .takeBack(let order): handlers.with { $0.onTakeBack }?(order)
        case .deliver(let message): handlers.with { $0.reader }?.deliver(message)
        case .settled(let waiting, let isSent):
            for caller in waiting { members.with { $0.settleWaiters.removeValue(forKey: caller) }?(isSent) }
        case .network(let event): handlers.with { $0.onNetwork }?(event)
        case .log(let line): configuration.log(line)
        case .socket(let action): perform(action)
        }
        return true
    }

    /// Stores a part of the state. If that takes longer than the call, the effects behind it wait for it.
    ///
    /// - Returns: whether it has been stored.
    private func save(_ part: StoredPart) -> Bool {
        /// Whether one of both ends was reached: that of the call, or that of the write.
        let isOver = Guarded(false)
        guard let data = try? part.encoded() else { return true }
        configuration.store.set(data, for: part.key.rawValue) { [self] result in
            if case .failure(let error) = result {
                let line = "The client's state cannot be stored, so the next process may repeat calls: \(error)"
                configuration.log(line)
                if case .queue = part { members.with { $0.state?.queue.isNotWritten() } }
            }
            if !isOver.isFirst() { configuration.executor.resume { [self] in performEffects() } }
        }
        return !isOver.isFirst()
    }

    private func perform(_ call: ServiceCall, _ number: Int) {
        guard let saved, let request = wire.request(for: call, state: saved) else { return }
        configuration.transport?.send(request) { [weak self, wire] result in
            let outcome = wire.outcome(of: call, result)
            self?.update { $0.finished(number, outcome) }
        }
    }

    private func perform(_ action: SocketState.Action) {
        switch action {
        case .open(let number):
            guard let opener = configuration.socketOpener, let url = configuration.link ?? wire.link else {
                return update { $0.socketClosed(number, "there are no links") }
            }
            let link = opener.open(url) { [weak self, configuration] event in
                let zone = event == .opened ? configuration.currentZone?() : nil
                let language = event == .opened ? configuration.currentLanguage?() : nil
                self?.update { state in
                    switch event {
                    case .opened: state.socketOpened(number, zone: zone, language: language)
                    case .received(let text): state.socketReceived(text, on: number)
                    case .closed(let reason): state.socketClosed(number, reason)
                    }
                }
            }
            members.with { $0.link = link }
        case .send(let text): members.with { $0.link }?.send(text)
        case .ping: members.with { $0.link }?.ping()
        case .close:
            let link = members.with { members in
                defer { members.link = nil }
                return members.link
            }
            link?.close()
        }
    }

    // MARK: Timers

    private func set(_ timer: ClientTimer, after milliseconds: Int) {
        let number = members.with { members in
            members.timers.removeValue(forKey: timer)?.cancel()
            members.lastNumber += 1
            members.timers[timer] = (members.lastNumber, {})
            return members.lastNumber
        }
        let cancel = configuration.clock.timer(after: milliseconds) { [weak self] in self?.ring(timer, number) }
        members.with { members in
            if members.timers[timer]?.number == number { members.timers[timer]?.cancel = cancel }
        }
    }

    private func ring(_ timer: ClientTimer, _ number: Int) {
        configuration.executor.run { [self] in
            let isCurrent = members.with { members in
                guard members.timers[timer]?.number == number else { return false }
                members.timers[timer] = nil
                return true
            }
            guard isCurrent else { return }
            if timer == .load { return load() }
            apply { $0.rang(timer) }
        }
    }
}

extension ClientEngine.Members {
    mutating func begin(with state: ClientState) {
        self.state = state
        apply { _ in }
        for body in take(\.early) { apply(body) }
    }

    mutating func apply(_ body: @escaping ClientEngine.Change) {
        // In its place: a copy would have to copy all that changes.
        guard let next = state?.effects(of: body) else { return early.append(body) }
        effects += next
    }

    mutating func nextEffect() -> ClientState.Effect? {
        if !effects.isEmpty { return effects.removeFirst() }
        isRunning = false
        return nil
    }

    /// Adds a waiting caller, and returns its number.
    mutating func add<Waiter>(_ waiter: Waiter, to place: WritableKeyPath<Self, [Int: Waiter]>) -> Int {
        lastNumber += 1
        self[keyPath: place][lastNumber] = waiter
        return lastNumber
    }

    /// Returns what waits there, and empties it.
    mutating func take<Waiter>(_ place: WritableKeyPath<Self, [Waiter]>) -> [Waiter] {
        defer { self[keyPath: place] = [] }
        return self[keyPath: place]
    }
}

extension TimeInterval {
    /// These seconds in whole milliseconds.
    var milliseconds: Int { Int((self * 1000).rounded()) }
}

extension RandomNumberGenerator {
    /// A random UUID, version 4, of two numbers.
    mutating func uuid() -> String {
        let high = next() & ~0xF000 | 0x4000
        let low = next() >> 2 | 1 << 63
        let zeros = String(repeating: "0", count: high.leadingZeroBitCount / 4)
        var text = ""
        for (place, digit) in (zeros + String(high, radix: 16) + String(low, radix: 16)).enumerated() {
            if [8, 12, 16, 20].contains(place) { text += "-" }
            text.append(digit)
        }
        return text
    }
}
