/// Up to 1000 pushes to one device or alias each, as `POST /v3/push/batch/…/single` takes them.
///
/// Source: JPush REST API v3, "Batch single push API".
public struct PushBatch: Sendable {
    /// In the order in which they were written.
    public var entries: [Entry]
    public var kind: TargetKind
    /// The request as it came.
    public let text: [UInt8]

    public struct Entry: Sendable {
        /// The key of the entry: the caller's name for it, by which a repeat is known.
        public var cid: String
        /// What is wrong with one entry costs no other.
        public var push: Result<BatchPush.Head, JPushError>
        /// Where the push is written in the request.
        public var place: Range<Int>
    }

    /// Reads the body of a request; `kind`: what the `target` of an entry names.
    ///
    /// - Throws: 1002 and 1003 for a body that is no batch.
    public init(parsing body: [UInt8], to kind: TargetKind) throws(JPushError) {
        var reader = PushBatchReader(body, kind)
        do { try reader.read() } catch { throw .missing("The body is not JSON: \(error).") }
        entries = try reader.entries()
        self.kind = kind
        text = body
    }

    /// All that one of the pushes says.
    ///
    /// - Throws: what is wrong with it.
    package func push(at place: Int) throws(JPushError) -> BatchPush {
        try BatchPush(parsing: text[entries[place].place], cid: entries[place].cid, to: kind)
    }
}
