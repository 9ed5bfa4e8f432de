import PushModel

extension FaultGoAway {
    private static let lastStreams: [(word: String, meaning: Last)] = [
        ("all", .all), ("this", .this), ("before", .before),
    ]

    /// * `hasRequest`: whether a request triggers it, so that `this` refers to that request.
    init(reading json: inout ObjectReader, hasRequest: Bool) throws(DocumentProblem) {
        self.init(
            try json.text("reason").map { APNSReason(rawValue: $0) },
            debugData: try json.text("debugData"),
            code: try json.integer("code", in: 0...0xFFFF_FFFF) ?? 0,
            last: try Self.last(&json, hasRequest),
            isTwice: try json.bool("twice") ?? false
        )
        if let debugData, reason != nil {
            throw json.problem("debugData", .string(debugData), "either debug data or a reason")
        }
    }

    private static func last(_ json: inout ObjectReader, _ hasRequest: Bool) throws(DocumentProblem) -> Last {
        let words = hasRequest ? lastStreams : Array(lastStreams.prefix(1))
        guard let value = json.member("lastStreamID") else { return hasRequest ? .this : .all }
        if let word = words.first(where: { $0.word == value.string }) { return word.meaning }
        guard let number = value.integer, (0...0x7FFF_FFFF).contains(number) else {
            let expected = words.map { "'\($0.word)'" }.joined(separator: ", ") + " or the number of a stream"
            throw json.problem("lastStreamID", value, expected)
        }
        return .stream(Int(number))
    }

    var details: [(String, JSONValue?)] {
        let last: JSONValue =
            switch self.last {
            case .all: "all"
            case .this: "this"
            case .before: "before"
            case .stream(let number): .integer(Int64(number))
            }
        return [
            ("reason", reason.map { .string($0.rawValue) }), ("debugData", debugData.map { .string($0) }),
            ("code", .integer(Int64(code))), ("lastStreamID", last), ("twice", .bool(isTwice)),
        ]
    }
}
