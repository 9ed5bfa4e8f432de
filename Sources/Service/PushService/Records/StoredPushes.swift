/// The result of storing pushes.
package struct StoredPushes: Hashable, Sendable {
    /// For each push of each batch, in order, the result of an earlier message with the same cid, in which case this one was not
    /// stored.
    package var batched: [[PushResult?]] = []
    /// The same for pushes outside batches.
    package var single: [PushResult?] = []
    /// The log position of each batch of custom messages; nil for other batches and those not stored.
    package var batchPositions: [Int64?] = []
    /// The log positions of pushes outside batches.
    package var singlePositions: [Int64?] = []

    package init() {}
}
