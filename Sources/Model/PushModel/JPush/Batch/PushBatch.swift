/// Up to 1000 pushes to one device or alias each, the body of `POST /v3/push/batch/…/single`.
///
/// Source: JPush REST API v3, "Batch single push API".
public struct PushBatch: Sendable {
    /// The entries in their original order.
    public var entries: [Entry]
    public var kind: TargetKind
    /// The original request body.
    public let text: [UInt8]

    public struct Entry: Sendable {
        /// The key of the entry: the caller's name for it, by which a repeat is recognised.
        public var cid: String
        /// The parsed push; an error in one entry does not affect the others.
        public var push: Result<BatchPush.Head, JPushError>
        /// The range of the push in the request body.
        public var place: Range<Int>
    }

    /// Parses a request body; `kind` is the kind of the entries' `target`.
    ///
    /// - Throws: 1002 and 1003 for a body that is not a batch.
    public init(parsing body: [UInt8], to kind: TargetKind) throws(JPushError) {
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
        try BatchPush(parsing: text[entries[place].place], cid: entries[place].cid, to: kind)
    }
}
