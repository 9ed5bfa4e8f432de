package import PushModel

/// Queries about the pushes of an app: which there are, and how far one is.
package struct MessageQueries: Sendable {
    let store: any MessageStore & CallbackStore
    let registry: Registry

    /// Returns the pushes of an app with lower ids than `id`, or all, the newest first.
    package func list(of app: App.ID, before id: MessageID?, limit: Int) async throws -> MessagePage {
        try await store.messages(of: app, before: id, limit: limit)
    }

    /// Returns a push, how far it is, and what became of it; nil if the app has no such push.
    package func message(
        _ id: MessageID,
        of app: App.ID
    ) async throws -> (message: Message, progress: MessageProgress, outcomes: MessageOutcomes)? {
        guard let (message, chunks) = try await store.message(id, of: app) else { return nil }
        let exceptions = try await store.exceptions(of: id, limit: MessageOutcomes.readEvents)
        return (message, MessageProgress(chunks), MessageOutcomes(chunks, exceptions))
    }

    /// Returns the state of a push's callback; nil if it has none.
    package func callback(of id: MessageID) async throws -> CallbackState? { try await store.callbackState(of: id) }

    /// Returns the registration ids of devices of an app.
    package func names(of ordinals: [DeviceOrdinal], app: App.ID) -> [RegistrationID] {
        ordinals.map { registry.name(of: DeviceID(app: app, ordinal: $0)) }
    }
}
