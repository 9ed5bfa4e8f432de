package import PushModel

/// What a request asks to be sent, where that needs nothing but the disk.
package enum PreparedRequest: Sendable {
    case push(PreparedPush)
    case batch(PreparedBatch)

    var pushes: [PreparedPush] { if case .push(let push) = self { [push] } else { [] } }
    var batches: [BatchSorter.Together] { if case .batch(let batch) = self { batch.batches } else { [] } }
}

/// A batch of which all pushes lie together.
package struct PreparedBatch: Sendable {
    /// The request as it came.
    package let batch: PushBatch
    var batches: [BatchSorter.Together]
}
