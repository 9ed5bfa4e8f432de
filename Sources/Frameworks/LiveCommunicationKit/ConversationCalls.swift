import CallAudio
import SystemPort

/// Calls from the system to the delegates of managers.
@MainActor
struct ConversationCalls {
    private let port: any SystemPort
    private let reply: @Sendable (EventReply) -> Void

    private var slot: ConversationSlot { ConversationSlot.of(port) }

    /// Handles the events of a process from now on.
    nonisolated static func handleEvents(of port: any SystemPort) {
        CallTargets.of(port).set(.liveCommunicationKit) { [weak port] event, reply in
            guard let port else { return }
            ConversationCalls(port: port, reply: reply).deliver(event)
        }
    }

    private func deliver(_ event: CallKitEvent) {
        switch event {
        case .began(let number): call("DidBegin(_:)", number) { $1.conversationManagerDidBegin($0) }
        case .reset(let number):
            slot.reset(number)
            call("DidReset(_:)", number) { $1.conversationManagerDidReset($0) }
        case .perform(let transaction, let number):
            for record in transaction.actions {
                let action = slot.begin(record, of: number, on: port)
                call("(_:perform:) \(type(of: action))", number) { $1.conversationManager($0, perform: action) }
            }
        case .timedOut(let record, let number):
            guard let manager = slot.manager(number),
                let action = slot.pending(of: manager).first(where: { $0.uuid == record.id })
            else { return }
            action.progress.end()
            manager.changed(\.pendingActions)
            call("(_:timedOutPerforming:)", number) { $1.conversationManager($0, timedOutPerforming: action) }
        case .audio(true, let number):
            call("(_:didActivate:)", number) { $1.conversationManager($0, didActivate: .of(port)) }
        case .audio(false, let number):
            call("(_:didDeactivate:)", number) { $1.conversationManager($0, didDeactivate: .of(port)) }
        case .changed(let record):
            guard let (manager, conversation) = slot.change(record) else { return }
            call("(_:conversationChanged:)", manager.number) {
                $1.conversationManager($0, conversationChanged: conversation)
            }
        case .interrupted: break
        }
    }

    private func call(
        _ name: String,
        _ number: Int,
        method: (ConversationManager, any ConversationManagerDelegate) -> Void
    ) {
        guard let manager = slot.manager(number), let delegate = manager.delegate else { return }
        reply(.ran("conversationManager" + name))
        method(manager, delegate)
    }
}
