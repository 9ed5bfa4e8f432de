import Foundation
import PushModel
import SystemPort

// What a person does with calls. The call screen is in front of everything, on a locked device too.

extension DeviceState {
    /// The calls on the screen, the oldest first.
    var shownCalls: [ShownCall] { phoneCalls.all.map(seen) }

    func seen(_ call: PhoneCall) -> ShownCall {
        ShownCall(
            id: call.id,
            bundleID: call.bundleID,
            appName: apps[call.bundleID]?.app.name ?? call.bundleID,
            framework: call.framework,
            name: call.update.localizedCallerName ?? call.update.remoteHandle?.value ?? "",
            handle: call.update.remoteHandle,
            hasVideo: call.update.hasVideo ?? false,
            isOutgoing: call.isOutgoing,
            state: call.state,
            presentation: call.state == .ringing ? call.presentation : nil,
            isMuted: call.isMuted,
            connected: call.connected,
            group: call.group
        )
    }

    /// Returns a call in one of these states: the one with the id, or the newest.
    private func call(
        _ id: UUID?,
        in states: Set<ShownCall.State>,
        _ touch: CallProblem.Touch
    ) throws(CallProblem) -> PhoneCall {
        guard let id else {
            guard let call = phoneCalls.all.last(where: { states.contains($0.state) }) else {
                throw .noCall(touch, shownCalls)
            }
            return call
        }
        guard let call = phoneCalls[id] else { throw .noSuchCall(id, shownCalls) }
        guard states.contains(call.state) else { throw .wrongState(touch, seen(call)) }
        return call
    }

    /// Answers a ringing call. The call that people talk on is held, or ended.
    mutating func answerCall(_ id: UUID?, endingOthers: Bool) throws(CallProblem) {
        let call = try call(id, in: [.ringing], .answer)
        let others = phoneCalls.all.filter { $0.id != call.id && ($0.state == .active || $0.state == .dialing) }
        if !endingOthers, let fixed = others.first(where: { !$0.mayBeHeld }) {
            throw .cannotBeHeld(seen(fixed))
        }
        emit(.answered, call)
        report(.acted(call.framework.answerAction), of: call.subject)
        let first = others.map { (call: $0, kind: endingOthers ? CallActionRecord.Kind.end : .hold(true)) }
        perform(first + [(call, .answer)])
    }

    mutating func declineCall(_ id: UUID?) throws(CallProblem) {
        let call = try call(id, in: [.ringing], .decline)
        emit(.declined, call)
        report(.acted(call.framework.endAction), of: call.subject)
        perform([(call, .end)])
    }

    mutating func endCall(_ id: UUID?) throws(CallProblem) {
        let call = try call(id, in: [.dialing, .active, .held], .end)
        emit(.hungUp, call)
        perform([(call, .end)])
    }

    mutating func muteCall(_ id: UUID?, _ mutes: Bool) throws(CallProblem) {
        perform([(try call(id, in: [.dialing, .active, .held], .mute), .mute(mutes))])
    }

    mutating func holdCall(_ id: UUID?, _ holds: Bool) throws(CallProblem) {
        let call = try call(id, in: holds ? [.active] : [.held], holds ? .hold : .resume)
        guard call.mayBeHeld else { throw .cannotBeHeld(seen(call)) }
        let others = phoneCalls.all.filter { !holds && $0.state == .active }.map {
            (call: $0, kind: CallActionRecord.Kind.hold(true))
        }
        perform(others + [(call, .hold(holds))])
    }

    /// Presses keys of the keypad.
    mutating func playDTMF(_ digits: String, _ id: UUID?) throws(CallProblem) {
        let call = try call(id, in: [.active], .keypad)
        guard call.update.supportsDTMF ?? true else { throw .noKeypad(seen(call)) }
        for digit in digits {
            perform([(call, .playDTMF(digits: String(digit), type: CallActionRecord.singleTone))])
        }
    }

    /// Merges the held call into the one that people talk on.
    mutating func mergeCalls() throws(CallProblem) {
        let active = try call(nil, in: [.active], .merge)
        let held = try call(nil, in: [.held], .merge)
        guard active.bundleID == held.bundleID, active.provider == held.provider,
            active.update.supportsGrouping ?? true, held.update.supportsGrouping ?? true
        else { throw .cannotBeMerged(seen(held)) }
        perform([(held, .group(with: active.id))])
    }

    /// Has the apps of the calls perform actions, each app in one transaction.
    private mutating func perform(_ actions: [(call: PhoneCall, kind: CallActionRecord.Kind)]) {
        var bundleIDs: [String] = []
        for (call, _) in actions where !bundleIDs.contains(call.bundleID) { bundleIDs.append(call.bundleID) }
        for bundleID in bundleIDs {
            let own = actions.filter { $0.call.bundleID == bundleID }
            let records = own.map { CallActionRecord(id: newUUID(), call: $0.call.id, kind: $0.kind) }
            perform(CallTransactionRecord(id: newUUID(), actions: records), bundleID)
        }
    }

    private mutating func newUUID() -> UUID { UUID(uuidString: random.uuid()) ?? UUID() }
}

extension CallFramework {
    fileprivate var answerAction: String { self == .callKit ? "CXAnswerCallAction" : "JoinConversationAction" }
    fileprivate var endAction: String { self == .callKit ? "CXEndCallAction" : "EndConversationAction" }
}
