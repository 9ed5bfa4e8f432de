/// Parses a batch push by push.
///
/// The memory of one push is freed before the next: a thousand at once would not fit into a processor's cache.
struct PushBatchReader {
    private var parser: JSONParser
    private let kind: TargetKind
    /// The error of a body or list that is not an object.
    private var problem: JPushError?
    /// The entries; nil without `pushlist`.
    private var list: [PushBatch.Entry]?
    /// The indexes in `list`, by cid.
    private var places: [ExactText: Int] = [:]

    init(_ body: [UInt8], _ kind: TargetKind) {
        parser = JSONParser(bytes: body)
        self.kind = kind
    }

    /// - Throws: the first syntax error anywhere in the body.
    mutating func read() throws(JSONSyntaxError) {
        try parser.start()
        if !parser.isAtObject {
            let body = try parser.value()
            problem = .missing("The body is \(body.kind); an object with 'pushlist' was expected.")
        } else if try parser.enterObject() {
            repeat {
                if try parser.key() == "pushlist" {
                    try readList()
                } else {
                    _ = try parser.value()
                }
            } while try parser.hasNextMember()
        }
        try parser.end()
    }

    /// Reads the list; of two lists, or two pushes with the same cid, the last one counts.
    private mutating func readList() throws(JSONSyntaxError) {
        list = []
        places = [:]
        problem = nil
        guard parser.isAtObject else {
            let list = try parser.value()
            problem = .badValue("'pushlist' is \(list.kind); expected an object of pushes by cid.")
            return
        }
        guard try parser.enterObject() else { return }
        // The maximum number of entries, unless the text is too short for them.
        let most = min(JPushLimits.batch.upperBound, parser.bytes.count / 64)
        places.reserveCapacity(most)
        list?.reserveCapacity(most)
        repeat {
            let cid = try parser.key()
            let start = parser.at
            let empties = parser.empties
            let value = try parser.value()
            add(ExactText(cid), parser.withoutNulls(value, since: empties), at: start..<parser.at)
        } while try parser.hasNextMember()
    }

    private mutating func add(_ cid: ExactText, _ value: JSONValue, at range: Range<Int>) {
        let count = list?.count ?? 0
        let push = Result { () throws(JPushError) in try BatchPush.Head(value, bytes: range.count, to: kind) }
        let entry = PushBatch.Entry(cid: cid.text, push: push, range: range)
        if let known = places.updateValue(count, forKey: cid) {
            places[cid] = known
            list?[known] = entry
        } else {
            list?.append(entry)
        }
    }

    /// - Throws: 1002 and 1003 for a body that is not a batch.
    func entries() throws(JPushError) -> [PushBatch.Entry] {
        if let problem { throw problem }
        guard let list else { throw .missing("Missing parameter 'pushlist'.") }
        guard JPushLimits.batch.contains(list.count) else {
            throw .badValue(
                """
                'pushlist' has \(list.count) members; expected \(JPushLimits.batch.lowerBound) to \
                \(JPushLimits.batch.upperBound).
                """
            )
        }
        return list
    }
}
