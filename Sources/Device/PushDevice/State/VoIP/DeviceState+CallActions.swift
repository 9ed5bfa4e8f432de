import Foundation
import PushModel
import SystemPort

// The calls on the device, and the actions that their apps perform on them. Sources: Apple, `CXProviderDelegate`, `CXAction`,
// `ConversationManagerDelegate`. Where Apple's pages of LiveCommunicationKit are silent, it does as CallKit does: our decision.

extension DeviceState {
    /// The time that an app has for an action. Apple documents none, only that there is one (`CXAction.timeoutDate`): our decision.
    static let callActionTime = Duration.seconds(10)
    /// The same for an action that an app asks its manager for: Apple, the default of `ConversationAction`'s initializer.
    static let conversationActionTime = Duration.seconds(30)

    // MARK: Calls

    mutating func emit(_ step: CallStep, _ call: PhoneCall, detail: String = "") {
        emit(.call(step, seen(call), detail: detail), app: call.bundleID)
    }

    mutating func addCall(_ call: PhoneCall, _ step: CallStep) {
        phoneCalls.all.append(call)
        emit(step, call, detail: call.presentation == .fullScreen ? "full screen" : "")
        tellObservers(call, call.record)
        resume(call.bundleID)
    }

    mutating func changeCall(_ id: UUID, as step: CallStep, _ change: (inout PhoneCall) -> Void) {
        guard let call = phoneCalls.change(id, change) else { return }
        emit(step, call)
        tellObservers(call, call.record)
        updateAudio()
    }

    mutating func connect(_ id: UUID) {
        // An app may report the connection, and fulfil the action too.
        guard let call = phoneCalls[id], call.state != .active else { return }
        changeCall(id, as: .connected) { [date] call in
            call.state = .active
            call.connected = call.connected ?? date
        }
    }

    mutating func removeCall(_ id: UUID, _ reason: String) {
        guard let (call, actions) = phoneCalls.remove(id) else { return }
        for action in actions { add(.cancel(.callAction(action))) }
        emit(.ended, call, detail: reason)
        var record = call.record
        record.hasEnded = true
        record.stage = .left
        tellObservers(call, record)
        updateAudio()
        planSuspension(of: call.bundleID)
    }

    /// Ends the calls of a process that has ended.
    mutating func endCalls(of bundleID: String) {
        phoneCalls.dropAudio(of: bundleID)
        for call in phoneCalls.of(bundleID) { removeCall(call.id, CallEndReason.failed) }
    }

    private mutating func tellObservers(_ call: PhoneCall, _ record: CallRecord) {
        for bundleID in bundleIDs where apps[bundleID]?.voIP.observesCalls == true {
            var record = record
            let isOwn = bundleID == call.bundleID && call.framework == .liveCommunicationKit
            record.provider = isOwn ? call.provider : nil
            send(.callKit(.changed(record)), to: bundleID)
        }
    }

    // MARK: Audio

    /// Activates and deactivates the audio sessions of providers.
    ///
    /// Source: Apple, `provider(_:didActivate:)`: the session is activated after the answer or start action is fulfilled. Other apps that
    /// use audio are interrupted: Apple, "Handling audio interruptions".
    private mutating func updateAudio() {
        let (ended, begun) = phoneCalls.updateAudio()
        for key in ended { sendAudio(false, key) }
        for key in begun { sendAudio(true, key) }
        for bundleID in bundleIDs {
            let isSilenced = phoneCalls.takeAudio(from: bundleID)
            guard apps[bundleID]?.voIP.silence(isSilenced) == true else { continue }
            send(.callKit(.interrupted(isSilenced)), to: bundleID)
        }
    }

    private mutating func sendAudio(_ isActive: Bool, _ key: CallProviderKey) {
        send(.callKit(.audio(isActive: isActive, provider: key.provider)), to: key.bundleID)
    }

    // MARK: Actions

    /// Has an app perform actions on its calls.
    mutating func perform(
        _ transaction: CallTransactionRecord,
        _ bundleID: String,
        within time: Duration = callActionTime
    ) {
        var transaction = transaction
        let timeout = date.addingTimeInterval(TimeInterval(time.components.seconds))
        var byProvider: [Int: [CallActionRecord]] = [:]
        for place in transaction.actions.indices {
            transaction.actions[place].timeout = timeout
            let action = transaction.actions[place]
            byProvider[phoneCalls.begin(action, by: bundleID), default: []].append(action)
            if action.kind == .end, let call = phoneCalls.change(action.call, { $0.isLeaving = true }),
                call.framework == .liveCommunicationKit
            {
                tellObservers(call, call.record)
            }
            add(.alarm(.callAction(action.id), time))
        }
        for (provider, actions) in byProvider.sorted(by: { $0.key < $1.key }) {
            transaction.actions = actions
            let subject = phoneCalls[actions[0].call]?.subject
            send(.callKit(.perform(transaction, provider: provider)), to: bundleID, for: subject)
        }
    }

    /// Handles an app's result of an action.
    mutating func completed(_ id: UUID, isFulfilled: Bool, _ bundleID: String) {
        guard let pending = phoneCalls.take(id, of: bundleID) else { return }
        add(.cancel(.callAction(id)))
        if isFulfilled { apply(pending.action) } else { failed(pending.action) }
    }

    /// Handles the timeout of an action: the app is told, and the action counts as failed.
    mutating func callActionTimedOut(_ id: UUID) {
        guard let pending = phoneCalls.take(id) else { return }
        send(.callKit(.timedOut(pending.action, provider: pending.provider)), to: pending.bundleID)
        failed(pending.action)
    }

    private mutating func apply(_ action: CallActionRecord) {
        switch action.kind {
        case .start: changeCall(action.call, as: .changed) { _ in }
        case .answer: connect(action.call)
        case .end: removeCall(action.call, "ended on this device")
        case .hold(let holds):
            changeCall(action.call, as: holds ? .held : .resumed) { $0.state = holds ? .held : .active }
        case .mute(let mutes): changeCall(action.call, as: mutes ? .muted : .unmuted) { $0.isMuted = mutes }
        case .group(let other):
            let group = other.flatMap { phoneCalls[$0] }.map { $0.group ?? $0.id }
            if let other { changeCall(other, as: .changed) { $0.group = group } }
            // A held call that is merged is one that people talk on.
            changeCall(action.call, as: .changed) { call in
                call.group = group
                if group != nil, call.state == .held { call.state = .active }
            }
        case .translate: changeCall(action.call, as: .changed) { _ in }
        case .playDTMF: break
        }
    }

    /// Handles an action that the app did not perform. A call that cannot be begun, answered or ended ends; others stay as they are.
    private mutating func failed(_ action: CallActionRecord) {
        switch action.kind {
        case .start, .answer, .end: removeCall(action.call, CallEndReason.failed)
        case .hold, .mute, .group, .playDTMF, .translate: break
        }
    }
}
