package import PushModel

/// Queries about the pushes of an app: which there are, and how far one is.
package struct MessageQueries: Sendable {
    let store: any MessageStore

    /// Returns the pushes of an app with lower ids than `id`, or all, the newest first.
    package func list(of app: App.ID, before id: MessageID?, limit: Int) async throws -> MessagePage {
        try await store.messages(of: app, before: id, limit: limit)
    }

    /// Returns a push and how far it is; nil if the app has no such push.
    package func message(
        _ id: MessageID,
        of app: App.ID
    ) async throws -> (message: Message, progress: MessageProgress)? {
        guard let (message, chunks) = try await store.message(id, of: app) else { return nil }
        return (message, MessageProgress(chunks))
    }
}
