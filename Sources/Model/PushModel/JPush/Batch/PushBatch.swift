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
        public var push: Result<BatchPush, JPushError>
        /// Where the push is written in the request.
        public var place: Range<Int>
    }

    /// Reads the body of a request; `kind`: what the `target` of an entry names.
    ///
    /// - Throws: 1002 and 1003 for a body that is no batch.
    public init(parsing body: [UInt8], to kind: TargetKind) throws(JPushError) {
        let json: JSONValue
        var places: [Range<Int>]
        do { (json, places) = try JSONValue.document(parsing: body, placesIn: "pushlist") } catch {
            throw .missing("The body is not JSON: \(error).")
        }
        guard let object = json.object else {
            throw .missing("The body is \(json.kind); an object with 'pushlist' was expected.")
        }
        guard let value = object["pushlist"] else { throw .missing("Missing parameter 'pushlist'.") }
        guard let list = value.object else {
            throw .badValue("'pushlist' is \(value.kind); expected an object of pushes by cid.")
        }
        guard JPushLimits.batch.contains(list.members.count) else {
            throw .badValue(
                """
                'pushlist' has \(list.members.count) members; expected \(JPushLimits.batch.lowerBound) to \
                \(JPushLimits.batch.upperBound).
                """
            )
        }
        self.kind = kind
        var text = body
        if places.count != list.members.count {
            // A key that is written twice has one place in the object and two in the text.
            text = []
            places = list.members.map { member in
                let start = text.count
                member.value.write(to: &text)
                return start..<text.count
            }
        }
        self.text = text
        entries = zip(list.members, places).map { member, place in
            let push = Result { () throws(JPushError) in try BatchPush(member.value, cid: member.key, to: kind) }
            return Entry(cid: member.key, push: push, place: place)
        }
    }
}
