/// What has come of pushes that were to be kept.
package struct KeptPushes: Hashable, Sendable {
    /// Of each push of each batch, in their order: the result of an earlier message with the same cid, in which case nothing of
    /// this one was kept.
    package var batched: [[PushResult?]] = []
    /// The same of those that came alone.
    package var single: [PushResult?] = []
    /// Where each batch of custom messages lies in their log; nil for any other, and one of which nothing was kept.
    package var batchPositions: [Int64?] = []
    /// The same of those that came alone.
    package var singlePositions: [Int64?] = []

    package init() {}
}
