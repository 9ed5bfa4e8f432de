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
        /// Make this call over HTTPS, and report its outcome with this number.
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
        /// Tell the reader that this message waits.
        case offer(CustomMessage)
        case deliver(CustomMessage)
        /// Remove a notification, and report it.
        case takeBack(TakeBack)
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
        case calling(ServiceCall, number: Int, overLink: Bool = false)
        case waiting
        /// The service refuses the app: nothing is sent in this process.
        case refused(PosthornError)
    }

    var saved: SavedState
    var queue: RequestQueue
    var outbox: ReceiptOutbox
    var inbox = MessageInbox()
    var network = NetworkState()
    var phase = Phase.notStarted
    var effects: [Effect] = []
    var socket = SocketState()
    /// The time that a caller waits for an answer, in milliseconds.
    var patience = 20_000
    var pace = AcknowledgementPace()
    let backoff: Backoff
    var random: any RandomNumberGenerator & Sendable
    var failures = 0
    var lastCall = 0
    /// The last ten calls with their outcomes, oldest first.
    var lastCalls: [(call: ServiceCall, outcome: String)] = []
    /// Whether this is a service extension, which reports receipts in the name of the device that the app has registered.
    var isReporter = false
    /// Whether the service has yet to hear of this start of the app.
    var isNews = true
    /// Whether the device registers again once it is unregistered.
    var startsAgain = false
    /// Whether the waiting custom messages are to be fetched.
    var wantsMessages = false
    /// Changes of the values before the start.
    private var early: [@Sendable (inout DeviceValues) -> Void] = []
    /// Callers that wait until the service has the values as they are.
    var changing: [Int] = []
    /// Whether the service has found the operations too many.
    var isPaused = false
    /// Callers that wait until everything is sent.
    var flushing: [Int] = []

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

    /// Changes the state, and returns what is to be done now.
    mutating func effects(of change: (inout Self) -> Void) -> [Effect] {
        change(&self)
        return takeEffects()
    }

    mutating func add(_ effect: Effect) {
        if case .save(let part) = effect {
            // What is stored is the app's.
            if isReporter { return }
            dropSave(of: part.key)
        }
        effects.append(effect)
    }

    /// Drops the last save of a part, which is saved again, if nothing has depended on it.
    private mutating func dropSave(of key: StoredPart.Key) {
        for place in effects.indices.reversed() {
            switch effects[place] {
            case .save(let part) where part.key == key:
                effects.remove(at: place)
                return
            case .set, .cancel, .log: continue
            default: return
            }
        }
    }

    // MARK: What the app does

    /// Starts a service extension: only the receipts that it reports are sent.
    mutating func startReporting(appKey: String) {
        isReporter = true
        outbox = ReceiptOutbox()
        phase = .idle
        if saved.appKey == appKey, saved.registration != nil, !saved.isLeaving { return }
        let error = PosthornError(code: PosthornError.notRegistered, message: "The app is not registered.")
        refuse(error, "No receipt is reported: \(error)")
    }

    /// Starts, or starts again after ``leave()``: the device registers if it has no identity.
    mutating func start(appKey: String, values: DeviceValues) {
        guard phase == .notStarted || saved.isLeaving else { return }
        if saved.appKey.isEmpty {
            saved.appKey = appKey
        } else if saved.appKey != appKey {
            // Another app key is another app: nothing of the identity holds for it.
            let installation = saved.installation
            reset { $0 = SavedState(installation: installation, appKey: appKey) }
        }
        let before = saved
        if saved.installation.isEmpty { saved.installation = random.uuid() }
        if saved.isLeaving {
            // A process that was to unregister and ended before does so now, and registers again after that.
            // The link alone cannot.
            startsAgain = saved.mayBeRegistered && !socket.callsOverLink
            saved.isLeaving = startsAgain
        }
        var wanted = values.keepingTokens(of: saved.wanted)
        for change in early { change(&wanted) }
        early = []
        saved.wanted = wanted
        queue.removeOldQuestions()
        // Before a first registration over the link there is nothing to keep: it is saved when it is sent.
        if saved != before, !before.installation.isEmpty || !socket.callsOverLink { save() }
        isNews = true
        wantsMessages = true
        phase = .idle
        if !socket.callsOverLink { note { $0.tries() } }
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
        guard phase != .notStarted, var values = saved.wanted else {
            early.append(body)
            // The process may end before it starts the client.
            guard var values = saved.wanted else { return }
            body(&values)
            if values == saved.wanted { return }
            saved.wanted = values
            return save()
        }
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
    mutating func answerChanges(_ result: Result<DeviceAnswer, PosthornError>) {
        guard saved.registration != nil, let wanted = saved.wanted else { return }
        let isTold =
            socket.callsOverLink ? wanted.nextToken(after: known(at: wanted)) == nil : wanted == saved.known
        if isTold { endChanges(result) }
    }

    mutating func endChanges(_ result: Result<DeviceAnswer, PosthornError>) {
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
        if case .calling(.operation(let number, _), _, _) = phase { number } else { nil }
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
    mutating func giveUp(_ caller: Int) {
        let isKept = queue.giveUp(caller)
        changing.removeAll { $0 == caller }
        let message = "The service has not answered in time" + (isKept ? "; the call is sent later." : ".")
        answer([caller], .failure(PosthornError(code: PosthornError.notSentYet, message: message)))
        // A link is answered in order, so the next call need not wait: a late reply has the number of none.
        if case .calling(.operation(let number, _), _, true) = phase, !queue.holds(number) { takeBackCall() }
        proceed()
    }

    /// Sends what waits now. The caller is told when that has happened, has failed, or has taken too many milliseconds.
    mutating func flush(_ caller: Int, within limit: Int) {
        flushing.append(caller)
        add(.set(.flush(caller), after: limit))
        retryNow()
        if isRefused { settle(isSent: false) }
    }

    mutating func settle(isSent: Bool) {
        if flushing.isEmpty { return }
        for caller in flushing { add(.cancel(.flush(caller))) }
        add(.settled(flushing, isSent: isSent))
        flushing = []
    }

    /// The network may be there again, or the app is in front: do not wait longer.
    mutating func retryNow() {
        endWait()
        if socket.callsOverLink { endSocketWait() }
        proceed()
    }

    mutating func endWait() {
        guard phase == .waiting else { return }
        phase = .idle
        add(.cancel(.retry))
    }

    mutating func rang(_ timer: ClientTimer) {
        switch timer {
        case .load: break
        case .retry:
            endWait()
            proceed()
        case .link: waitedForSocket()
        case .gather: gathered()
        case .heartbeat: beat()
        case .reply: lostLink("no reply", closing: true)
        case .pause:
            isPaused = false
            proceed()
        case .patience(let caller): giveUp(caller)
        case .flush(let caller):
            flushing.removeAll { $0 == caller }
            add(.settled([caller], isSent: false))
        }
    }

    // MARK: Small things

    mutating func save() { add(.save(.state(saved))) }

    mutating func saveQueue() { if queue.isToBeWritten() { add(.save(.queue(queue))) } }

    mutating func saveReceipts() { add(.save(.receipts(outbox))) }

    mutating func savePosition() {
        add(.save(.position(SavedPosition(registrationID: saved.registration?.id, position: inbox.position))))
    }

    /// The state comes last: until it is stored, the next process begins the same again.
    mutating func saveAll() {
        queue.isNotWritten()
        saveQueue()
        saveReceipts()
        savePosition()
        save()
    }

    /// Forgets everything that belongs to an identity.
    mutating func reset(_ change: (inout SavedState) -> Void) {
        change(&saved)
        _ = queue.removeAll()
        outbox = ReceiptOutbox()
        inbox.forget()
        inbox.position = nil
        saveAll()
    }

    mutating func answer(_ callers: [Int], _ result: Result<DeviceAnswer, PosthornError>) {
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
