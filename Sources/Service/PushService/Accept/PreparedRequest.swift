package import PushModel

/// The push or batch of a request that only has to be written to disk.
package enum PreparedRequest: Sendable {
    case push(PreparedPush)
    case batch(PreparedBatch)

    var pushes: [PreparedPush] { if case .push(let push) = self { [push] } else { [] } }
    var batches: [BatchSorter.StoredBatch] { if case .batch(let batch) = self { batch.batches } else { [] } }
}

/// A batch all of whose pushes can be stored together.
package struct PreparedBatch: Sendable {
    /// The request as received.
    package let batch: PushBatch
    var batches: [BatchSorter.StoredBatch]
}
