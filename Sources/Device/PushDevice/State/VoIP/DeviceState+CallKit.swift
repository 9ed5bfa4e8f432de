import Foundation
import PushModel
import SystemPort

// Calls of apps to CallKit and LiveCommunicationKit. Sources: Apple, `CXProvider`, `CXCallController`, `ConversationManager`.

extension DeviceState {
    mutating func call(_ call: CallKitCall, from process: Int, _ bundleID: String) -> SystemReply {
        guard apps[bundleID]?.process == process else { return .done }
        switch call {
        case .provide(let provider, let record): provide(provider, record, of: bundleID)
        case .invalidate(let provider): invalidate(provider, of: bundleID)
        case .reportIncoming(let id, let update, let provider):
            return reportIncoming(id, update, by: CallProviderKey(bundleID: bundleID, provider: provider))
        case .update(let id, let update, let provider) where own(id, by: provider, of: bundleID):
            changeCall(id, as: .changed) { $0.update.merge(update) }
        case .ended(let id, let reason, let provider) where own(id, by: provider, of: bundleID):
            removeCall(id, CallEndReason.words(for: reason))
        case .startedConnecting(let id, let provider) where own(id, by: provider, of: bundleID):
            changeCall(id, as: .changed) { $0.isConnecting = true }
        case .connected(let id, let provider) where own(id, by: provider, of: bundleID): connect(id)
        case .update, .ended, .startedConnecting, .connected: break
        case .request(let transaction, let manager):
            guard let error = refusal(of: transaction, manager, bundleID) else {
                start(transaction, by: manager, bundleID)
                return .done
            }
            return CallKitError.request(error)
        case .completed(let action, let isFulfilled): completed(action, isFulfilled: isFulfilled, bundleID)
        case .observe: apps[bundleID]?.voIP.observesCalls = true
        case .useAudio(let isUsed): apps[bundleID]?.voIP.usesAudio = isUsed
        case .list: return .calls(phoneCalls.all.map(\.record))
        }
        return .done
    }

    /// Whether a call belongs to a provider, which alone reports its changes: our decision.
    private func own(_ id: UUID, by provider: Int, of bundleID: String) -> Bool {
        phoneCalls[id].map { $0.bundleID == bundleID && $0.provider == provider } ?? false
    }

    private mutating func provide(_ provider: Int, _ record: CallProviderRecord, of bundleID: String) {
        guard apps[bundleID]?.voIP.provide(record, as: provider) == true else { return }
        if record.framework == .callKit, settings.storefront == "CHN",
            apps[bundleID]?.voIP.providers.values.count(where: { $0.framework == .callKit }) == 1
        {
            warn(Self.mainlandCaution, app: bundleID)
        }
        send(.callKit(.began(provider: provider)), to: bundleID)
    }

    /// Known from letters of App Review that developers have posted, 2018 to 2025 (jitsi/jitsi-meet#3152,
    /// BelledonneCommunications/linphone-iphone#423, flutter_callkit_incoming#359, phone_state#46), not from a page of Apple's.
    private static let mainlandCaution = """
        The app uses CallKit with the App Store of mainland China (CHN). App Review has refused such apps there, as letters that \
        developers have posted say; no page of Apple's does. Published apps use LiveCommunicationKit there.
        """

    /// Source: Apple, `CXProvider.invalidate()`: all active calls are ended and marked as failed.
    private mutating func invalidate(_ provider: Int, of bundleID: String) {
        guard apps[bundleID]?.voIP.invalidate(provider) == true else { return }
        for call in phoneCalls.of(bundleID) where call.provider == provider {
            removeCall(call.id, CallEndReason.failed)
        }
        send(.callKit(.reset(provider: provider)), to: bundleID)
    }

    // MARK: Incoming calls

    private mutating func reportIncoming(
        _ id: UUID,
        _ update: CallUpdateRecord,
        by provider: CallProviderKey
    ) -> SystemReply {
        guard let record = apps[provider.bundleID] else { return .terminated }
        // Apple names no error for a provider that is invalid: our decision.
        guard let reporter = record.voIP.providers[provider.provider] else { return CallKitError.incoming(.unknown) }
        let framework = reporter.framework
        let subject = apps[provider.bundleID]?.voIP.takeReport()
        if subject == nil { noteSecondReport(by: framework, provider.bundleID) }
        guard record.app.answersCalls, profile.hasCallKit else {
            suppress(subject, .noCall)
            return CallKitError.incoming(.unentitled)
        }
        guard phoneCalls[id] == nil else {
            suppress(subject, .callExists)
            return CallKitError.incoming(.callUUIDAlreadyExists)
        }
        if settings.focus?.holds(nil, of: provider.bundleID) != nil {
            suppress(subject, .callFiltered)
            return CallKitError.incoming(.filteredByDoNotDisturb)
        }
        let call = PhoneCall(
            id: id,
            bundleID: provider.bundleID,
            provider: provider.provider,
            framework: framework,
            isOutgoing: false,
            update: update,
            state: .ringing,
            // Sources: WWDC26, session 226, of both; iOS 14, whose incoming calls no longer fill an unlocked screen.
            presentation: springboard.isLocked || profile.major < 14 ? .fullScreen : .banner,
            subject: subject
        )
        let isFirst = phoneCalls.all.isEmpty
        addCall(call, .ringing)
        if isFirst {
            emit(.soundPlayed(name: reporter.ringtone), app: provider.bundleID)
        }
        report(.presented(framework == .callKit ? .call : .conversation), of: subject)
        return .done
    }

    /// Notes in the journey of the push of a ringing call that the app reports it to the other framework too.
    private mutating func noteSecondReport(by framework: CallFramework, _ bundleID: String) {
        let first = phoneCalls.of(bundleID).last { $0.state == .ringing && $0.framework != framework }
        suppress(first?.subject, .reportedTwice)
    }

    // MARK: Requests

    /// Returns the error for a transaction that the system does not perform; nil if it does.
    private func refusal(
        of transaction: CallTransactionRecord,
        _ manager: Int?,
        _ bundleID: String
    ) -> CallKitError.Request? {
        guard let record = apps[bundleID], record.app.answersCalls, profile.hasCallKit else { return .unentitled }
        guard !transaction.actions.isEmpty else { return .emptyTransaction }
        guard let provider = record.voIP.provider(for: manager) else { return .unknownCallProvider }
        var ending: Set<UUID> = []
        for action in transaction.actions {
            if let error = refusal(of: action, record, provider, ending: ending) { return error }
            if action.kind == .end { ending.insert(action.call) }
        }
        return nil
    }

    private func refusal(
        of action: CallActionRecord,
        _ record: AppRecord,
        _ provider: Int,
        ending: Set<UUID>
    ) -> CallKitError.Request? {
        let own = phoneCalls.of(record.app.bundleID).filter { !ending.contains($0.id) }
        if case .start = action.kind {
            if phoneCalls[action.call] != nil { return .callUUIDAlreadyExists }
            let groups = Set(own.map { $0.group ?? $0.id }).count
            let limit = record.voIP.groupLimit(of: provider)
            return groups < limit ? nil : .maximumCallGroupsReached
        }
        guard let call = phoneCalls[action.call], call.bundleID == record.app.bundleID,
            call.framework == record.voIP.providers[provider]?.framework
        else { return .unknownCallUUID }
        switch action.kind {
        case .answer: return call.state == .ringing ? nil : .invalidAction
        case .hold: return call.mayBeHeld && call.state != .ringing ? nil : .invalidAction
        case .group(let other?): return own.contains { $0.id == other } ? nil : .unknownCallUUID
        case .playDTMF: return call.update.supportsDTMF ?? true ? nil : .invalidAction
        case .translate: return call.state == .active ? nil : .invalidAction
        case .start, .end, .mute, .group(nil): return nil
        }
    }

    /// Begins to perform an app's own transaction.
    private mutating func start(_ transaction: CallTransactionRecord, by manager: Int?, _ bundleID: String) {
        let provider = apps[bundleID]?.voIP.provider(for: manager) ?? 0
        for action in transaction.actions {
            guard case .start(let handles, _, let isVideo) = action.kind else { continue }
            var update = CallUpdateRecord()
            update.remoteHandle = handles.first
            let names = handles.compactMap(\.name)
            if !names.isEmpty { update.localizedCallerName = names.joined(separator: ", ") }
            update.hasVideo = isVideo
            let call = PhoneCall(
                id: action.call,
                bundleID: bundleID,
                provider: provider,
                framework: apps[bundleID]?.voIP.providers[provider]?.framework ?? .callKit,
                isOutgoing: true,
                update: update,
                state: .dialing
            )
            addCall(call, .dialing)
        }
        perform(transaction, bundleID, within: manager == nil ? Self.callActionTime : Self.conversationActionTime)
    }
}

/// The words for Apple's `CXCallEndedReason`, by its raw value.
enum CallEndReason {
    static let failed = "failed"
    private static let words = [
        1: failed, 2: "the other side ended it", 3: "unanswered", 4: "answered elsewhere", 5: "declined elsewhere",
    ]

    static func words(for reason: Int) -> String { words[reason] ?? "ended" }
}
