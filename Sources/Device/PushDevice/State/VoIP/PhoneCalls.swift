import Foundation
import PushModel
import SystemPort

/// The calls on the device, the actions that apps have not performed yet, and the active audio sessions.
struct PhoneCalls: Sendable {
    /// The calls, the oldest first.
    var all: [PhoneCall] = []
    private var actions: [UUID: PendingCallAction] = [:]
    /// The providers whose audio session is active.
    private var audio: Set<CallProviderKey> = []
    /// The process that was ended last because a method had returned without a report, with its push.
    var unreported: [Int: JourneySubject] = [:]

    subscript(_ id: UUID) -> PhoneCall? { all.first { $0.id == id } }

    /// Returns the calls of an app, the oldest first.
    func of(_ bundleID: String) -> [PhoneCall] { all.filter { $0.bundleID == bundleID } }

    /// Changes a call. Returns it as it is then; nil if it has ended.
    mutating func change(_ id: UUID, _ change: (inout PhoneCall) -> Void) -> PhoneCall? {
        guard let place = all.firstIndex(where: { $0.id == id }) else { return nil }
        change(&all[place])
        return all[place]
    }

    /// Removes a call. Returns it with the ids of its actions, which are dropped; nil if it has ended already.
    mutating func remove(_ id: UUID) -> (call: PhoneCall, actions: [UUID])? {
        guard let place = all.firstIndex(where: { $0.id == id }) else { return nil }
        let dropped = actions.filter { $0.value.action.call == id }
        for action in dropped.keys { actions[action] = nil }
        return (all.remove(at: place), Array(dropped.keys))
    }

    // MARK: Actions

    /// Records that an app has to perform an action. Returns the provider of the call; 0 for a call that there is not.
    mutating func begin(_ action: CallActionRecord, by bundleID: String) -> Int {
        let provider = self[action.call]?.provider ?? 0
        actions[action.id] = PendingCallAction(action: action, bundleID: bundleID, provider: provider)
        return provider
    }

    /// Takes an action that has been performed or has timed out; `bundleID` is the app that must have it, if that matters.
    mutating func take(_ action: UUID, of bundleID: String? = nil) -> PendingCallAction? {
        guard let pending = actions[action], bundleID == nil || pending.bundleID == bundleID else { return nil }
        actions[action] = nil
        return pending
    }

    // MARK: Audio

    /// Finds the providers whose session begins or ends: one is active while it has a call that people talk on.
    mutating func updateAudio() -> (ended: Set<CallProviderKey>, begun: Set<CallProviderKey>) {
        let talking = all.filter { $0.state == .active }
            .map { CallProviderKey(bundleID: $0.bundleID, provider: $0.provider) }
        let before = audio
        audio = Set(talking)
        return (before.subtracting(audio), audio.subtracting(before))
    }

    /// Whether people talk on calls of other apps alone.
    func takeAudio(from bundleID: String) -> Bool { !audio.isEmpty && audio.allSatisfy { $0.bundleID != bundleID } }

    /// Forgets the sessions of a process that has ended.
    mutating func dropAudio(of bundleID: String) { audio = audio.filter { $0.bundleID != bundleID } }
}

/// A call on the device.
struct PhoneCall: Sendable {
    let id: UUID
    let bundleID: String
    /// The provider or manager within the app's process.
    let provider: Int
    let framework: CallFramework
    let isOutgoing: Bool
    var update: CallUpdateRecord
    var state: ShownCall.State
    /// How it began to ring.
    var presentation: ShownCall.Presentation?
    var isMuted = false
    /// Whether the app has begun to connect it.
    var isConnecting = false
    /// Whether the app is to end it.
    var isLeaving = false
    /// The group that it belongs to; nil for a call of its own.
    var group: UUID?
    /// The time at which it was connected.
    var connected: Date?
    /// The push that announced it.
    var subject: JourneySubject?

    var mayBeHeld: Bool { update.supportsHolding ?? true }

    var record: CallRecord {
        var record = CallRecord(id: id)
        record.isOutgoing = isOutgoing
        record.isOnHold = state == .held
        record.hasConnected = connected != nil
        record.stage = stage
        record.localMember = update.localMember
        return record
    }

    private var stage: CallRecord.Stage {
        if isLeaving { return .leaving }
        return switch state {
        case .ringing, .dialing: isConnecting ? .joining : .idle
        case .active: .joined
        case .held: .paused
        }
    }
}

/// An action that an app has to perform.
struct PendingCallAction: Sendable {
    var action: CallActionRecord
    var bundleID: String
    var provider: Int
}

/// A provider of one app.
struct CallProviderKey: Hashable, Sendable {
    var bundleID: String
    var provider: Int
}
