package import PushModel

/// The pushes of an app.
package protocol MessageStore: Sendable {
    /// Returns the pushes of an app with lower ids than `id`, or all, the newest first.
    ///
    /// The pushes of all apps lie in one order. So the search ends after a bounded number of them; the page tells where it goes on.
    func messages(of app: App.ID, before id: MessageID?, limit: Int) async throws -> MessagePage
    /// Returns a push and its chunks, those of a batch only with the device of the push; nil if the app has no such push.
    func message(_ id: MessageID, of app: App.ID) async throws -> (message: Message, chunks: [Chunk])?
    /// Returns up to `limit` stored events of a push on its devices; for a push of a batch, also those that it shares with
    /// the others.
    func exceptions(of id: MessageID, limit: Int) async throws -> MessageExceptions
}

/// A part of the list of an app's pushes.
package struct MessagePage: Sendable {
    package var messages: [Entry] = []
    /// The id before which the list goes on; nil at its end.
    package var next: MessageID?

    package init() {}

    package struct Entry: Sendable {
        package var message: Message
        /// Whether a worker will send it to further devices.
        package var isWaiting: Bool

        package init(message: Message, isWaiting: Bool) {
            self.message = message
            self.isWaiting = isWaiting
        }
    }
}
