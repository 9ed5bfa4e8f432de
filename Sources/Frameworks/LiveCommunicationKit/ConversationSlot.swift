import Foundation
import SystemPort

/// The managers of one process of an app, held weakly, with their conversations and actions.
///
/// `@unchecked Sendable`: an app's objects need not be Sendable; the lists are read and written under the lock, and delegates are
/// called on the main thread only.
final class ConversationSlot: PortSlot, @unchecked Sendable {
    private struct Entry {
        weak var manager: ConversationManager?
        var conversations: [Conversation] = []
        var actions: [ConversationAction] = []
    }

    private let lock = NSLock()
    private var entries: [Int: Entry] = [:]
    /// The actions that the app has asked for, which its delegate gets back.
    private var requested: [UUID: ConversationAction] = [:]

    static func of(_ port: any SystemPort) -> ConversationSlot { port.slots.slot { ConversationSlot() } }

    func add(_ manager: ConversationManager) { lock.withLock { entries[manager.number] = Entry(manager: manager) } }

    func manager(_ number: Int) -> ConversationManager? { lock.withLock { entries[number]?.manager } }

    // MARK: Conversations

    func conversations(of manager: ConversationManager) -> [Conversation] {
        lock.withLock { entries[manager.number]?.conversations ?? [] }
    }

    /// Adds a reported conversation, unless its first change was here before.
    func add(_ id: UUID, _ localMember: Handle?, to manager: ConversationManager) {
        var record = CallRecord(id: id)
        record.localMember = localMember?.record
        _ = take(record, of: manager.number)
    }

    /// Takes over a change of a call. Returns the manager and its conversation; nil for a call of others.
    func change(_ record: CallRecord) -> (manager: ConversationManager, conversation: Conversation)? {
        guard let number = record.provider else { return nil }
        let conversation = take(record, of: number)
        conversation.update(record)
        if record.hasEnded {
            lock.withLock { entries[number]?.conversations.removeAll { $0 === conversation } }
            manager(number)?.changed(\.conversations)
        }
        return manager(number).map { ($0, conversation) }
    }

    private func take(_ record: CallRecord, of number: Int) -> Conversation {
        let new = Conversation(record)
        let taken = lock.withLock {
            let known = entries[number]?.conversations.first { $0.uuid == record.id }
            if known == nil { entries[number]?.conversations.append(new) }
            return known ?? new
        }
        if taken === new { manager(number)?.changed(\.conversations) }
        return taken
    }

    func reset(_ number: Int) {
        lock.withLock { entries[number]?.conversations = [] }
        manager(number)?.changed(\.conversations)
    }

    // MARK: Actions

    func request(_ actions: [ConversationAction]) {
        lock.withLock { for action in actions { requested[action.uuid] = action } }
    }

    func forget(_ actions: [ConversationAction]) {
        lock.withLock { for action in actions { requested[action.uuid] = nil } }
    }

    /// Returns the action that the system wants performed: the app's own, if it has asked for it.
    func begin(_ record: CallActionRecord, of number: Int, on port: any SystemPort) -> ConversationAction {
        let action = lock.withLock {
            let action = requested.removeValue(forKey: record.id) ?? ConversationAction.make(record)
            action.progress.begin(record, on: port)
            entries[number]?.actions.append(action)
            return action
        }
        action.manager = manager(number)
        action.manager?.changed(\.pendingActions)
        return action
    }

    func pending(of manager: ConversationManager) -> [ConversationAction] {
        lock.withLock {
            entries[manager.number]?.actions.removeAll(where: \.progress.isComplete)
            return entries[manager.number]?.actions ?? []
        }
    }
}
