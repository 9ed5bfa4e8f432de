import CallAudio
import SystemPort

/// Calls from the system to the delegates of providers and observers.
@MainActor
struct CallKitCalls {
    private let port: any SystemPort
    private let reply: EventReplyHandler

    /// Handles the events of a process from now on.
    nonisolated static func handleEvents(of port: any SystemPort) {
        CallTargets.of(port).set(.callKit) { [weak port] event, reply in
            guard let port else { return }
            await CallKitCalls(port: port, reply: reply).deliver(event)
        }
    }

    private func deliver(_ event: CallKitEvent) async {
        switch event {
        case .began(let provider): await call("providerDidBegin(_:)", provider) { $0.providerDidBegin($1) }
        case .reset(let provider): await call("providerDidReset(_:)", provider) { $0.providerDidReset($1) }
        case .perform(let transaction, let provider): await perform(transaction, provider)
        case .timedOut(let action, let provider): await timedOut(action, provider)
        case .audio(let isActive, let provider):
            let session = AVAudioSession.of(port)
            await call(isActive ? "provider(_:didActivate:)" : "provider(_:didDeactivate:)", provider) {
                if isActive {
                    $0.provider($1, didActivate: session)
                } else {
                    $0.provider($1, didDeactivate: session)
                }
            }
        case .changed(let record): await changed(record)
        case .interrupted: break
        }
    }

    private func call(
        _ name: String,
        _ number: Int,
        method: @escaping (any CXProviderDelegate, CXProvider) -> Void
    ) async {
        guard let (provider, delegate, queue) = CallKitSlot.of(port).target(number) else { return }
        await queue.run { [reply] in
            if MethodProbe.reaches({ method(delegate, provider) }) { reply(.ran(name)) }
        }
    }

    private func perform(_ record: CallTransactionRecord, _ number: Int) async {
        let slot = CallKitSlot.of(port)
        guard let (provider, delegate, queue) = slot.target(number) else { return }
        let transaction = CXTransaction(record, on: port)
        slot.with(number) { $0?.transactions.append(transaction) }
        await queue.run { [reply] in
            var isExecuted = false
            let isImplemented = MethodProbe.reaches { isExecuted = delegate.provider(provider, execute: transaction) }
            if isImplemented { reply(.ran("provider(_:execute:)")) }
            guard !isExecuted else { return }
            for action in transaction.actions {
                guard MethodProbe.reaches({ Self.perform(action, with: delegate, provider) }) else { continue }
                reply(.ran("provider(_:perform:) \(type(of: action))"))
            }
        }
    }

    nonisolated private static func perform(
        _ action: CXAction,
        with delegate: any CXProviderDelegate,
        _ provider: CXProvider
    ) {
        switch action {
        case let action as CXStartCallAction: delegate.provider(provider, perform: action)
        case let action as CXAnswerCallAction: delegate.provider(provider, perform: action)
        case let action as CXEndCallAction: delegate.provider(provider, perform: action)
        case let action as CXSetHeldCallAction: delegate.provider(provider, perform: action)
        case let action as CXSetMutedCallAction: delegate.provider(provider, perform: action)
        case let action as CXSetGroupCallAction: delegate.provider(provider, perform: action)
        case let action as CXPlayDTMFCallAction: delegate.provider(provider, perform: action)
        case let action as CXSetTranslatingCallAction: delegate.provider(provider, perform: action)
        default: MethodProbe.miss()
        }
    }

    private func timedOut(_ record: CallActionRecord, _ number: Int) async {
        let slot = CallKitSlot.of(port)
        guard let provider = slot.with(number, { $0?.provider }) else { return }
        let known = slot.pending(of: provider).flatMap(\.actions).first { $0.uuid == record.id }
        let action = known ?? CXCallAction.make(record, on: port)
        action.progress.end()
        await call("provider(_:timedOutPerforming:)", number) { $0.provider($1, timedOutPerforming: action) }
    }

    private func changed(_ record: CallRecord) async {
        for target in CallKitSlot.of(port).observerTargets {
            await target.queue.run { [reply] in
                target.delegate.callObserver(target.observer, callChanged: CXCall(record))
                reply(.ran("callObserver(_:callChanged:)"))
            }
        }
    }
}
