import Foundation

// The calls to the service: which is next, and what its answer means.

extension ClientState {
    mutating func finished(_ number: Int, _ outcome: CallOutcome) {
        guard case .calling(let call, let current, let isOverLink) = phase, current == number else { return }
        takeBackCall()
        lastCalls = lastCalls.suffix(9) + [(call, outcome.name)]
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
            succeeded(call, outcome, isOverLink: isOverLink)
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
    mutating func pause(_ number: Int, _ error: PosthornError, order: Double?) {
        if queue.isAwaited(number) { return finished(number, .failure(error)) }
        isPaused = true
        for caller in queue.pause(number) { add(.cancel(.patience(caller))) }
        let delay = backoff.wait(after: 1, order: max(order ?? 0, Self.interval), using: &random)
        add(.log("There are too many operations, which go on after a pause: \(error)"))
        add(.set(.pause, after: delay.milliseconds))
    }

    mutating func failed(_ call: ServiceCall, _ error: PosthornError, order: Double?) {
        failures += 1
        phase = .waiting
        let delay = backoff.wait(after: failures, order: order, using: &random)
        add(.log("\(call.name) failed, and is repeated: \(error)"))
        add(.set(.retry, after: delay.milliseconds))
        settle(isSent: false)
    }

    mutating func refused(_ call: ServiceCall, _ error: PosthornError) {
        failures = 0
        if call == .unregister { return left() }
        if error.code == PosthornError.forgotten, saved.registration != nil { return forget(error) }
        let line = "\(call.name) is refused: \(error)"
        if case .register = call { return refuse(error, line) }
        add(.log(line))
        switch call {
        case .update(let values, let known):
            // The same values would be refused again.
            socket.tokenIsNews = false
            saved.known = values
            save()
            // What callers wait for is a token.
            if values.withoutTokens == known?.withoutTokens {
                endChanges(.failure(error))
            } else {
                answerChanges(.failure(error))
            }
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
        if isReporter { return refuse(error, "No receipt is reported: \(error)") }
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
    mutating func separate() {
        saved.installation = random.uuid()
        saved.former = saved.registration
        let text =
            "It has another phone's token for it. This one is a new device; its tags and its alias have to be set again."
        forget(PosthornError(code: PosthornError.forgotten, message: text))
    }

    /// Reports the start of the app again, upon which the service says what it has.
    mutating func checkIn() {
        isNews = true
        proceed()
    }

    mutating func succeeded(_ call: ServiceCall, _ outcome: CallOutcome, isOverLink: Bool) {
        switch (call, outcome) {
        case (.register(let values), .registered(let registration, let hasToken)):
            registered(values, registration, hasToken: hasToken)
        case (.update(let values, _), .updated(_, _, let digest, _, _)) where values.isToken(ofAnother: digest):
            separate()
        case (.update(let values, _), .updated(let hasToken, let isPushOn, _, let sequence, let orders)):
            for order in orders { add(.takeBack(order)) }
            continueAbove(sequence)
            updated(values, hasToken: hasToken, isPushOn: isPushOn)
        case (.update(let values, _), _): updated(values, hasToken: true, isPushOn: !saved.isPushOff)
        case (.operation(let number, let operation), _):
            var given = DeviceAnswer()
            if case .answered(let answer) = outcome { given = answer }
            if case .getPush = operation, let isOn = given.isOn { note(isPushOn: isOn) }
            if case .setPush(let isOn) = operation {
                note(isPushOn: isOn)
                // "Off" has ended the messages on the link, and "on" by another way does not bring them back.
                if isOn, !isOverLink, socket.isLoggedIn { logIn() }
            }
            finished(number, .success(given))
        case (.receipts(let sent), _): settle(sent)
        case (.messages, .received(let messages, let position)): received(messages, position)
        case (.unregister, _): left()
        default: break
        }
    }

    private mutating func note(isPushOn: Bool) {
        if saved.isPushOff != isPushOn { return }
        saved.isPushOff = !isPushOn
        save()
    }

    mutating func finished(_ number: Int, _ result: Result<DeviceAnswer, PosthornError>) {
        let waiting = queue.remove(number)
        saveQueue()
        answer(waiting, result)
    }

    /// Goes on above the last operation that the service has carried out.
    mutating func continueAbove(_ sequence: Int64?) {
        if let sequence, queue.continueAbove(Int(sequence)) { saveQueue() }
    }

    mutating func settle(_ sent: [Receipt]) {
        outbox.settle(sent)
        saveReceipts()
    }

    mutating func registered(_ values: DeviceValues, _ registration: Registration, hasToken: Bool) {
        saved.registration = registration
        saved.former = nil
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

    mutating func updated(_ values: DeviceValues, hasToken: Bool, isPushOn: Bool) {
        let before = saved
        isNews = false
        socket.tokenIsNews = false
        saved.known = values
        saved.isPushOff = !isPushOn
        note(hasToken: hasToken, sent: values.token)
        if saved != before { save() }
        answerChanges(.success(DeviceAnswer()))
    }

    /// Drops a token that the service no longer has: APNs has said that it is gone.
    mutating func note(hasToken: Bool, sent token: String?) {
        guard let token, !hasToken else { return }
        saved.known?.token = nil
        if saved.wanted?.token == token { saved.wanted?.token = nil }
        add(.tokenWanted)
    }

    mutating func left() {
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
        reportChanges()
        guard phase == .idle else { return }
        guard let call = nextCall() else { return settle(isSent: !isPaused || queue.queue.isEmpty) }
        if socket.callsOverLink, !mayCallOverLink(call) { return }
        if case .register = call, !saved.mayBeRegistered {
            // The answer may be lost, and the device registered all the same.
            saved.mayBeRegistered = true
            save()
        }
        if case .update(let values, _) = call, let known = saved.known?.token, values.token != known {
            // Its answer may be lost. So a token that the service has and this client does not know of is another phone's.
            saved.known?.token = nil
            save()
        }
        if case .operation(let number, _) = call {
            for caller in queue.begin(number) { add(.set(.patience(caller), after: patience)) }
        }
        lastCall += 1
        phase = .calling(call, number: lastCall, overLink: socket.callsOverLink)
        if socket.callsOverLink { return callOverLink(call, number: lastCall) }
        note { $0.tries() }
        add(.call(call, number: lastCall))
    }

    /// The call has an outcome, or has to be made again.
    mutating func takeBackCall() {
        guard case .calling(_, _, let isOverLink) = phase else { return }
        phase = .idle
        if isOverLink { add(.cancel(.reply)) }
    }

    private var nextReceipts: ServiceCall? {
        outbox.receipts.isEmpty ? nil : .receipts(Array(outbox.receipts.prefix(ServiceWire.mostReceipts)))
    }

    /// The values that the service has, as far as its last answer on the link says.
    func known(at wanted: DeviceValues) -> DeviceValues {
        var known = saved.known ?? wanted.withoutTokens
        if socket.tokenIsNews { known.token = nil }
        return known
    }

    func nextCall() -> ServiceCall? {
        if isReporter { return nextReceipts }
        guard let wanted = saved.wanted else { return nil }
        let isOverLink = socket.callsOverLink
        // The link has no end of a registration: that waits for HTTPS.
        if saved.isLeaving, saved.registration != nil { return isOverLink ? nil : .unregister }
        if saved.isLeaving, !saved.mayBeRegistered { return nil }
        guard saved.registration != nil else {
            return .register(isOverLink ? wanted.withoutTokens : wanted.withoutActivities)
        }
        if isOverLink {
            // The login has told the rest.
            let known = known(at: wanted)
            if let next = wanted.nextToken(after: known) { return .update(next, from: known) }
        } else if isNews || wanted != saved.known {
            return .update(saved.known.map(wanted.next) ?? wanted.withoutTokens, from: saved.known)
        }
        if !isPaused, let next = queue.queue.first { return .operation(number: next.number, next.operation) }
        if let receipts = nextReceipts { return receipts }
        if wantsMessages, !isOverLink, !socket.isLoggedIn, inbox.demand != .noReader, inbox.waiting.isEmpty {
            return .messages(after: inbox.position)
        }
        return nil
    }
}
