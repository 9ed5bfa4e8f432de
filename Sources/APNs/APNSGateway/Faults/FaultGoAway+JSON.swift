import PushModel

extension FaultGoAway {
    private static let lastStreams: [(word: String, meaning: Last)] = [
        ("all", .all), ("this", .this), ("before", .before),
    ]

    /// `hasRequest` says whether a request triggers it, so that `this` refers to that request.
    init(reading json: inout StrictJSONReader, hasRequest: Bool) throws(JSONProblem) {
        self.init(
            reason: try json.optional("reason", .text).map { APNSReason(rawValue: $0) },
            debugData: try json.optional("debugData", .text),
            code: try json.optional("code", .integer(in: 0...0xFFFF_FFFF)) ?? 0,
            last: try json.optional("lastStreamID", Self.lastStream(hasRequest: hasRequest))
                ?? (hasRequest ? .this : .all),
            isTwice: try json.optional("twice", .bool) ?? false
        )
        if let debugData, reason != nil {
            throw json.problem("debugData", found: .string(debugData), expected: "either debug data or a reason")
        }
    }

    private static func lastStream(hasRequest: Bool) -> JSONForm<Last> {
        let words = hasRequest ? lastStreams : Array(lastStreams.prefix(1))
        let expected = words.map { "'\($0.word)'" }.joined(separator: ", ") + " or the number of a stream"
        return JSONForm(expected) { value in
            if let word = words.first(where: { $0.word == value.string }) { return word.meaning }
            return value.integer.flatMap { (0...0x7FFF_FFFF).contains($0) ? .stream(Int($0)) : nil }
        }
    }

    var details: [(String, JSONValue?)] {
        let last: JSONValue =
            switch self.last {
            case .all: "all"
            case .this: "this"
            case .before: "before"
            case .stream(let number): .number(number)
            }
        return [
            ("reason", reason.map { .string($0.rawValue) }), ("debugData", debugData.map { .string($0) }),
            ("code", .number(code)), ("lastStreamID", last), ("twice", .bool(isTwice)),
        ]
    }
}
