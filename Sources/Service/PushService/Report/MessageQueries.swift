package import PushModel

/// Queries about the pushes of an app: which there are, and how far one is.
package struct MessageQueries: Sendable {
    let store: any MessageStore & CallbackStore & JourneyStore
    let registry: Registry

    /// Returns the pushes of an app with lower ids than `id`, or all, the newest first.
    package func list(of app: App.ID, before id: MessageID?, limit: Int) async throws -> MessagePage {
        try await store.messages(of: app, before: id, limit: limit)
    }

    /// Returns a push, how far it is, and what became of it and of the VoIP push beside it; nil if the app has no such push.
    package func message(
        _ id: MessageID,
        of app: App.ID
    ) async throws -> (message: Message, progress: MessageProgress, outcomes: MessageOutcomes)? {
        guard let (message, chunks) = try await store.message(id, of: app) else { return nil }
        let exceptions = try await store.exceptions(of: id, limit: MessageOutcomes.readEvents)
        var outcomes = MessageOutcomes(chunks, exceptions)
        if let voip = try await store.voipPush(of: id) {
            if voip == id {
                outcomes.isForVoIP()
            } else if let (_, chunks) = try await store.message(voip, of: app) {
                let exceptions = try await store.exceptions(of: voip, limit: MessageOutcomes.readEvents)
                outcomes.add(ofVoIPPush: MessageOutcomes(chunks, exceptions))
            }
        }
        return (message, MessageProgress(chunks), outcomes)
    }

    /// Returns the state of a push's callback; nil if it has none.
    package func callback(of id: MessageID) async throws -> CallbackState? { try await store.callbackState(of: id) }

    /// Returns the registration ids of devices of an app.
    package func names(of ordinals: [DeviceOrdinal], app: App.ID) -> [RegistrationID] {
        ordinals.map { registry.name(of: DeviceID(app: app, ordinal: $0)) }
    }
}
