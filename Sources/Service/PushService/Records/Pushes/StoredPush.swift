/// The result of storing a push.
package struct StoredPush: Hashable, Sendable {
    /// The result of an earlier message with the same cid, in which case this one was not stored.
    package var earlier: PushResult?
    /// The same for each push of a batch, in order; empty for a push outside a batch.
    package var batched: [PushResult?] = []
    /// The position of its custom messages in the log; nil if it has none or was not stored.
    package var position: Int64?

    package init() {}
}
