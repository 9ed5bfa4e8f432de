/// Up to 1000 pushes to one device or alias each, the body of `POST /v3/push/batch/…/single`.
///
/// Source: JPush REST API v3, "Batch single push API".
package struct PushBatch: Sendable {
    /// The entries in their original order.
    package var entries: [Entry]
    package var kind: TargetKind
    /// The original request body.
    package let text: [UInt8]

    package struct Entry: Sendable {
        /// The key of the entry: the caller's name for it, by which a repeat is recognised.
        package var cid: String
        /// The parsed push; an error in one entry does not affect the others.
        package var push: Result<BatchPush.Head, JPushError>
        /// The range of the push in the request body.
        package var range: Range<Int>

        /// Whether the push has members that are accepted and have no effect here.
        package var hasIgnored: Bool { if case .success(let push) = push { !push.ignored.isEmpty } else { false } }
    }

    /// Parses a request body; `kind` is the kind of the entries' `target`.
    ///
    /// - Throws: 1002 and 1003 for a body that is not a batch.
    package init(parsing body: [UInt8], to kind: TargetKind) throws(JPushError) {
        var reader = PushBatchReader(body, kind)
        do { try reader.read() } catch { throw .missing("The body is not JSON: \(error).") }
        entries = try reader.entries()
        self.kind = kind
        text = body
    }

    /// Returns one of the pushes in full.
    ///
    /// - Throws: its first error.
    package func push(at place: Int) throws(JPushError) -> BatchPush {
        try BatchPush(parsing: text[entries[place].range], cid: entries[place].cid, to: kind)
    }
}
