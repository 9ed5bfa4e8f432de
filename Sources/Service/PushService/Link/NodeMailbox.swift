/// The custom messages for the links of this node.
struct NodeMailbox: Sendable {
    let store: any NodeMailStore
    let node: NodeID
    let links: NodeLinks
    /// Tells other nodes that messages were accepted.
    let announce: @Sendable () -> Void

    /// Reads the next messages.
    ///
    /// - Returns: the messages, and the position through which they are complete.
    func read(
        after position: Int64,
        limit: Int,
        audiencesOf apps: Set<App.ID>
    ) async throws -> ([CustomMessageRecord], Int64) {
        let mail = try await store.mail(for: node, after: position, limit: limit, audiencesOf: apps)
        return (mail.messages, mail.through)
    }
}
