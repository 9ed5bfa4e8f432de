import Foundation

/// The client as a value: it takes what has happened and returns what is to be done, in this order.
///
/// A process may be killed between any two effects. So whatever must not be lost is in a ``StoredPart``, which is saved before
/// the call that depends on it, and a call that was under way is made again by the next process: the service takes each of
/// them twice without harm.
struct ClientState: Sendable {
    enum Effect: Hashable, Sendable {
        /// Store it durably, before the next effect.
        case save(StoredPart)
        /// Remove these values from the store.
        case remove([String])
        /// Make this call, and report its outcome with this number.
        case call(ServiceCall, number: Int)
        /// Call ``rang(_:)`` after so many milliseconds; an earlier timer of this name has no effect any more.
        case set(ClientTimer, after: Int)
        case cancel(ClientTimer)
        /// Give these callers the answer to their operation.
        case answer([Int], Result<DeviceAnswer, PosthornError>)
        /// The device has an identity, or will have none in this process.
        case identity(Result<Registration, PosthornError>, isNew: Bool)
        /// The device is unregistered.
        case left
        /// The service has no device token: the app has to ask the system for it again.
        case tokenWanted
        /// Tell the reader that a message waits.
        case offer
        case deliver(CustomMessage)
        /// Tell these callers whether everything that was to be sent has been sent.
        case settled([Int], isSent: Bool)
        case network(NetworkEvent)
        case log(String)
        case socket(SocketState.Action)
    }

    enum Phase: Hashable, Sendable {
        /// The store was not read yet, or the app has not started the client.
        case notStarted
        case idle
        case calling(ServiceCall, number: Int)
        case waiting
        /// The service refuses the app: nothing is sent in this process.
        case refused(PosthornError)
    }

    private(set) var saved: SavedState
    private(set) var queue: RequestQueue
    private(set) var outbox: ReceiptOutbox
    private(set) var inbox = MessageInbox()
    private var network = NetworkState()
    private(set) var phase = Phase.notStarted
    private(set) var effects: [Effect] = []
    var socket = SocketState()
    /// The time that a caller waits for an answer, in milliseconds.
    var patience = 20_000
    var pace = AcknowledgementPace()
    private let backoff: Backoff
    var random: any RandomNumberGenerator & Sendable
    private var failures = 0
    private var lastCall = 0
    /// Whether the service has yet to hear of this start of the app.
    private var isNews = true
    /// Whether the device registers again once it is unregistered.
    private var startsAgain = false
    /// Whether the waiting custom messages are to be fetched.
    private var wantsMessages = false
    /// Changes of the values before the start.
    private var early: [@Sendable (inout DeviceValues) -> Void] = []
    /// Callers that wait until the service has the values as they are.
    private var changing: [Int] = []
    /// Whether the service has found the operations too many.
    private var isPaused = false
    /// Callers that wait until everything is sent.
    private var flushing: [Int] = []

    /// Creates the client of a process.
    ///
    /// - Parameters:
    ///   - stored: the parts that an earlier process has stored.
    ///   - first: the state at the first start.
    ///   - backoff: the waits after failures.
    ///   - random: the source of their random parts.
    init(
        stored: StoredParts,
        first: SavedState,
        backoff: Backoff,
        random: any RandomNumberGenerator & Sendable
    ) {
        saved = stored.state ?? first
        queue = stored.queue
        outbox = stored.receipts
        let ownsPosition = stored.position.registrationID.map { $0 == stored.state?.registration?.id } ?? true
        if ownsPosition { inbox.position = stored.position.position }
        self.backoff = backoff
        self.random = random
        if stored.isWhole { saveAll() }
    }

    /// Returns what is to be done now, and forgets it.
    mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    mutating func add(_ effect: Effect) { effects.append(effect) }

    // MARK: What the app does

    /// Starts, or starts again after ``leave()``: the device registers if it has no identity.
    mutating func start(appKey: String, values: DeviceValues) {
        guard phase == .notStarted || saved.isLeaving else { return }
        if saved.appKey != appKey {
            // Another app key is another app: nothing of the identity holds for it.
            let installation = saved.installation
            reset { $0 = SavedState(installation: installation, appKey: appKey) }
        }
        let before = saved
        if saved.isLeaving {
            // A process that was to unregister and ended before does so now, and registers again after that.
            startsAgain = saved.mayBeRegistered
            saved.isLeaving = startsAgain
        }
        var wanted = values.keepingTokens(of: saved.wanted)
        for change in early { change(&wanted) }
        early = []
        saved.wanted = wanted
        queue.removeOldQuestions()
        if saved != before { save() }
        isNews = true
        wantsMessages = true
        phase = .idle
        note { $0.tries() }
        if let registration = saved.registration, !saved.isLeaving {
            add(.identity(.success(registration), isNew: false))
        }
        proceed()
    }

    /// Changes the values of the device; before the start the change waits for it. The caller waits until the service has them.
    mutating func change(caller: Int? = nil, _ body: @escaping @Sendable (inout DeviceValues) -> Void) {
        if let caller {
            if case .refused(let error) = phase { return answer([caller], .failure(error)) }
            changing.append(caller)
            add(.set(.patience(caller), after: patience))
        }
        guard phase != .notStarted, var values = saved.wanted else { return early.append(body) }
        body(&values)
        if values != saved.wanted {
            saved.wanted = values
            save()
        } else {
            answerChanges(.success(DeviceAnswer()))
        }
        proceed()
    }

    /// Answers the callers that wait for the values, if the service has been told of all.
    private mutating func answerChanges(_ result: Result<DeviceAnswer, PosthornError>) {
        guard saved.registration != nil, saved.wanted == saved.known else { return }
        endChanges(result)
    }

    private mutating func endChanges(_ result: Result<DeviceAnswer, PosthornError>) {
        answer(changing, result)
        changing = []
    }

    /// Puts an operation into the queue. The caller waits for the answer; nil if nobody does.
    mutating func request(_ operation: DeviceOperation, keeping: Keeping = .untilAnswered, caller: Int?) {
        if case .refused(let error) = phase { return answer([caller].compactMap { $0 }, .failure(error)) }
        // One that is not to be repeated by its caller waits for the first registration, even across processes.
        let isPatient = keeping == .whileAwaited && saved.registration == nil
        if let caller, !isPatient { add(.set(.patience(caller), after: patience)) }
        let dropped = queue.add(
            operation,
            keeping: isPatient ? .untilAnswered : keeping,
            caller: caller,
            isPatient: isPatient,
            underWay: numberUnderWay
        )
        let error = PosthornError(code: PosthornError.unknown, message: "Too many calls wait for the service.")
        answer(dropped, .failure(error))
        saveQueue()
        proceed()
    }

    private var numberUnderWay: Int? {
        if case .calling(.operation(let number, _), _) = phase { number } else { nil }
    }

    /// Reports receipts; each event of a push counts once. An extension may have left them under these names.
    mutating func report(_ receipts: [Receipt], left keys: [String] = []) {
        var isChanged = false
        for receipt in receipts where outbox.add(receipt) { isChanged = true }
        if isChanged { saveReceipts() }
        if !keys.isEmpty { add(.remove(keys)) }
        proceed()
    }

    /// Asks for the waiting custom messages, if there is a reader.
    mutating func fetchMessages() {
        wantsMessages = true
        proceed()
    }

    /// Unregisters the device once the service can be reached; an earlier identity is gone for the app at once.
    mutating func leave() {
        guard !saved.isLeaving else { return }
        let error = PosthornError(code: PosthornError.notRegistered, message: "The device is being unregistered.")
        answer(queue.removeAll(), .failure(error))
        endChanges(.failure(error))
        saveQueue()
        saved.isLeaving = true
        save()
        closeSocket()
        if !saved.mayBeRegistered { left() }
        proceed()
    }

    /// Ends the wait of a caller; a kept operation stays.
    private mutating func giveUp(_ caller: Int) {
        let isKept = queue.giveUp(caller)
        changing.removeAll { $0 == caller }
        let message = "The service has not answered in time" + (isKept ? "; the call is sent later." : ".")
        answer([caller], .failure(PosthornError(code: PosthornError.notSentYet, message: message)))
    }

    /// Sends what waits now. The caller is told when that has happened, has failed, or has taken too many milliseconds.
    mutating func flush(_ caller: Int, within limit: Int) {
        flushing.append(caller)
        add(.set(.flush(caller), after: limit))
        retryNow()
    }

    private mutating func settle(isSent: Bool) {
        if flushing.isEmpty { return }
        for caller in flushing { add(.cancel(.flush(caller))) }
        add(.settled(flushing, isSent: isSent))
        flushing = []
    }

    /// The network may be there again, or the app is in front: do not wait longer.
    mutating func retryNow() {
        endWait()
        proceed()
    }

    private mutating func endWait() {
        guard phase == .waiting else { return }
        phase = .idle
        add(.cancel(.retry))
    }

    mutating func rang(_ timer: ClientTimer) {
        switch timer {
        case .load: break
        case .retry: retryNow()
        case .link: waitedForSocket()
        case .gather: gathered()
        case .heartbeat: beat()
        case .pause:
            isPaused = false
            proceed()
        case .patience(let caller): giveUp(caller)
        case .flush(let caller):
            flushing.removeAll { $0 == caller }
            add(.settled([caller], isSent: false))
        }
    }

    // MARK: What the service answers

    mutating func finished(_ number: Int, _ outcome: CallOutcome) {
        guard case .calling(let call, let current) = phase, current == number else { return }
        phase = .idle
        switch outcome {
        case .failed(let error, let order):
            if error.code == PosthornError.tooOften {
                note { $0.reached() }
            } else if !socket.isLoggedIn {
                note { $0.failed(error) }
            }
            if error.code == PosthornError.tooOften, case .operation(let number, _) = call {
                pause(number, error, order: order)
            } else {
                failed(call, error, order: order)
            }
        case .refused(let error):
            note { $0.reached() }
            refused(call, error)
        default:
            failures = 0
            note { $0.reached() }
            succeeded(call, outcome)
            if saved.registration != nil, !saved.isLeaving { note { $0.entered() } }
        }
        proceed()
    }

    /// Passes on how the connection has changed.
    mutating func note(_ change: (inout NetworkState) -> [NetworkEvent]) {
        for event in change(&network) { add(.network(event)) }
    }

    /// The seconds in which the service counts operations.
    private static let interval = 10.0

    /// Pauses the operations, of which the service has had too many; all else goes on. An operation whose caller may repeat it has its
    /// answer.
    private mutating func pause(_ number: Int, _ error: PosthornError, order: Double?) {
        if queue.isAwaited(number) { return finished(number, .failure(error)) }
        isPaused = true
        for caller in queue.pause(number) { add(.cancel(.patience(caller))) }
        let delay = backoff.wait(after: 1, order: max(order ?? 0, Self.interval), using: &random)
        add(.log("There are too many operations, which go on after a pause: \(error)"))
        add(.set(.pause, after: delay.milliseconds))
    }

    private mutating func failed(_ call: ServiceCall, _ error: PosthornError, order: Double?) {
        failures += 1
        phase = .waiting
        let delay = backoff.wait(after: failures, order: order, using: &random)
        add(.log("\(call.name) failed, and is repeated: \(error)"))
        add(.set(.retry, after: delay.milliseconds))
        settle(isSent: false)
    }

    private mutating func refused(_ call: ServiceCall, _ error: PosthornError) {
        failures = 0
        if call == .unregister { return left() }
        if error.code == PosthornError.forgotten, saved.registration != nil { return forget(error) }
        let line = "\(call.name) is refused: \(error)"
        if case .register = call { return refuse(error, line) }
        add(.log(line))
        switch call {
        case .update(let values, _):
            // The same values would be refused again.
            saved.known = values
            save()
            answerChanges(.failure(error))
        case .operation(let number, _): finished(number, .failure(error))
        case .receipts(let sent): settle(sent)
        case .messages, .register, .unregister: break
        }
    }

    /// Sends nothing in this process: the service refuses the app, or its settings cannot be used.
    mutating func refuse(_ error: PosthornError, _ line: String) {
        add(.log(line))
        phase = .refused(error)
        answer(queue.removeAll(), .failure(error))
        endChanges(.failure(error))
        // Receipts stay, for a build that the service accepts.
        saveQueue()
        save()
        add(.identity(.failure(error), isNew: false))
        settle(isSent: false)
    }

    /// Registers again: the service does not know the identity, or no longer.
    mutating func forget(_ error: PosthornError) {
        if saved.isLeaving { return left() }
        add(.log("The service has forgotten this device, which registers again: \(error)"))
        saved.registration = nil
        saved.known = nil
        inbox.forget()
        inbox.position = nil
        savePosition()
        save()
        closeSocket()
        network.forgot()
    }

    /// Registers as a device of its own, with what waits: another phone, restored from this one's backup, has the identity, too.
    private mutating func separate() {
        saved.installation = random.uuid()
        let text =
            "It has another phone's token for it. This one is a new device; its tags and its alias have to be set again."
        forget(PosthornError(code: PosthornError.forgotten, message: text))
    }

    /// Reports the start of the app again, upon which the service says what it has.
    mutating func checkIn() {
        isNews = true
        proceed()
    }

    private mutating func succeeded(_ call: ServiceCall, _ outcome: CallOutcome) {
        switch (call, outcome) {
        case (.register(let values), .registered(let registration, let hasToken)):
            registered(values, registration, hasToken: hasToken)
        case (.update(let values, _), .updated(_, _, let digest)) where values.isToken(ofAnother: digest): separate()
        case (.update(let values, _), .updated(let hasToken, let isPushOn, _)):
            updated(values, hasToken: hasToken, isPushOn: isPushOn)
        case (.operation(let number, let operation), _):
            if case .setPush(let isOn) = operation {
                saved.isPushOff = !isOn
                save()
                // "Off" has ended the messages on the link, and "on" by another way does not bring them back.
                if isOn, socket.isLoggedIn { logIn() }
            }
            if case .answered(let given) = outcome {
                finished(number, .success(given))
            } else {
                finished(number, .success(DeviceAnswer()))
            }
        case (.receipts(let sent), _): settle(sent)
        case (.messages, .received(let messages, let position)): received(messages, position)
        case (.unregister, _): left()
        default: break
        }
    }

    private mutating func finished(_ number: Int, _ result: Result<DeviceAnswer, PosthornError>) {
        let waiting = queue.remove(number)
        saveQueue()
        answer(waiting, result)
    }

    private mutating func settle(_ sent: [Receipt]) {
        outbox.settle(sent)
        saveReceipts()
    }

    private mutating func registered(_ values: DeviceValues, _ registration: Registration, hasToken: Bool) {
        saved.registration = registration
        saved.known = values
        // The service has switched pushes on, and knows no position of a new identity.
        saved.isPushOff = false
        isNews = false
        wantsMessages = true
        note(hasToken: hasToken, sent: values.token)
        save()
        answerChanges(.success(DeviceAnswer()))
        // Unregistered meanwhile: the identity goes before the app sees it.
        if !saved.isLeaving { add(.identity(.success(registration), isNew: true)) }
    }

    private mutating func updated(_ values: DeviceValues, hasToken: Bool, isPushOn: Bool) {
        isNews = false
        saved.known = values
        saved.isPushOff = !isPushOn
        note(hasToken: hasToken, sent: values.token)
        save()
        answerChanges(.success(DeviceAnswer()))
    }

    /// Drops a token that the service no longer has: APNs has said that it is gone.
    private mutating func note(hasToken: Bool, sent token: String?) {
        guard let token, !hasToken else { return }
        saved.known?.token = nil
        if saved.wanted?.token == token { saved.wanted?.token = nil }
        add(.tokenWanted)
    }

    private mutating func left() {
        let isLeaving = !startsAgain
        startsAgain = false
        reset { saved in
            var next = SavedState(installation: saved.installation, appKey: saved.appKey)
            next.wanted = saved.wanted
            next.isLeaving = isLeaving
            saved = next
        }
        endWait()
        if phase != .notStarted { phase = .idle }
        add(.left)
    }

    // MARK: The next call

    mutating func proceed() {
        adjustSocket()
        guard phase == .idle else { return }
        guard let call = nextCall() else { return settle(isSent: !isPaused || queue.queue.isEmpty) }
        if case .register = call, !saved.mayBeRegistered {
            // The answer may be lost, and the device registered all the same.
            saved.mayBeRegistered = true
            save()
        }
        if case .update(let values, let known) = call, values.token != known?.token {
            // Its answer may be lost. So a token that the service has and this client does not know of is another phone's.
            saved.known?.token = nil
            save()
        }
        if case .operation(let number, _) = call {
            for caller in queue.begin(number) { add(.set(.patience(caller), after: patience)) }
        }
        note { $0.tries() }
        lastCall += 1
        phase = .calling(call, number: lastCall)
        add(.call(call, number: lastCall))
    }

    private func nextCall() -> ServiceCall? {
        guard let wanted = saved.wanted else { return nil }
        if saved.isLeaving, saved.registration != nil { return .unregister }
        if saved.isLeaving, !saved.mayBeRegistered { return nil }
        guard saved.registration != nil else { return .register(wanted.withoutActivities) }
        if isNews || wanted != saved.known {
            return .update(saved.known.map(wanted.next) ?? wanted, from: saved.known)
        }
        if !isPaused, let next = queue.queue.first { return .operation(number: next.number, next.operation) }
        if !outbox.receipts.isEmpty { return .receipts(Array(outbox.receipts.prefix(ServiceWire.mostReceipts))) }
        if wantsMessages, !socket.isLoggedIn, inbox.demand != .noReader, inbox.waiting.isEmpty {
            return .messages(after: inbox.position)
        }
        return nil
    }

    // MARK: Custom messages

    /// The facts that a link needs; nil if there is to be none.
    var login: SocketState.Login? {
        guard let registration = saved.registration, !saved.isLeaving, phase != .notStarted, !isRefused else {
            return nil
        }
        return SocketState.Login(
            appKey: saved.appKey,
            registration: registration,
            position: inbox.position,
            takesMessages: inbox.demand != .noReader,
            zone: saved.wanted?.zone,
            appVersion: saved.wanted?.appVersion
        )
    }

    private var isRefused: Bool { if case .refused = phase { true } else { false } }

    /// Sets the wish of the app's reader.
    mutating func demand(_ demand: MessageInbox.Demand) {
        let hadReader = inbox.demand != .noReader
        // From a reader that another one has replaced.
        if demand == .one, !hadReader || inbox.demand == .all { return }
        inbox.demand = demand
        if hadReader != (demand != .noReader) { changedReader() }
        handOver()
        proceed()
    }

    private mutating func changedReader() {
        wantsMessages = true
        if socket.isLoggedIn { logIn() }
    }

    private mutating func received(_ messages: [CustomMessage], _ position: Int64?) {
        // They stay with the service if the reader or the identity has gone meanwhile.
        guard inbox.demand != .noReader, saved.registration != nil, !saved.isLeaving else { return }
        for message in messages { _ = inbox.receive(message) }
        inbox.ends(at: position)
        // The next call acknowledges these, and returns those that waited behind them.
        wantsMessages = !messages.isEmpty
        handOver()
    }

    /// Takes a message of the link.
    mutating func receive(_ message: CustomMessage) {
        if saved.isLeaving { return }
        if inbox.receive(message) { acknowledge() }
        handOver()
    }

    /// Hands the messages that wait to the reader, as it wants them.
    ///
    /// The position is saved before the app gets the message: a message whose handler crashes the process must not crash the next
    /// one too. The service hears of it after that.
    private mutating func handOver() {
        while let message = inbox.take() {
            savePosition()
            add(.deliver(message))
            tookMessage()
        }
        if inbox.passEnd() { savePosition() }
        if inbox.mustOffer() { add(.offer) }
    }

    // MARK: Small things

    private mutating func save() { add(.save(.state(saved))) }

    private mutating func saveQueue() { add(.save(.queue(queue))) }

    private mutating func saveReceipts() { add(.save(.receipts(outbox))) }

    private mutating func savePosition() {
        add(.save(.position(SavedPosition(registrationID: saved.registration?.id, position: inbox.position))))
    }

    /// The state comes last: until it is stored, the next process begins the same again.
    private mutating func saveAll() {
        saveQueue()
        saveReceipts()
        savePosition()
        save()
    }

    /// Forgets everything that belongs to an identity.
    private mutating func reset(_ change: (inout SavedState) -> Void) {
        change(&saved)
        _ = queue.removeAll()
        outbox = ReceiptOutbox()
        inbox.forget()
        inbox.position = nil
        saveAll()
    }

    private mutating func answer(_ callers: [Int], _ result: Result<DeviceAnswer, PosthornError>) {
        if callers.isEmpty { return }
        for caller in callers { add(.cancel(.patience(caller))) }
        add(.answer(callers, result))
    }
}

extension DeviceValues {
    /// These values with the tokens and the permission that were known before.
    fileprivate func keepingTokens(of before: DeviceValues?) -> DeviceValues {
        guard let before else { return self }
        var values = self
        values.permission = permission ?? before.permission
        // A token belongs to one environment.
        values.token = token ?? (before.environment == environment ? before.token : nil)
        values.voipToken = voipToken ?? before.voipToken
        if activityTokens.isEmpty { values.activityTokens = before.activityTokens }
        if activityStartTokens.isEmpty { values.activityStartTokens = before.activityStartTokens }
        return values
    }
}
