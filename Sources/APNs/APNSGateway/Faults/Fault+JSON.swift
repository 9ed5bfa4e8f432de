package import PushModel

// One flat object a fault: {"kind":"answer","status":429,"reason":"TooManyRequests","token":"…","next":3}.

extension Fault.Kind {
    /// The word in JSON.
    package var name: String {
        switch self {
        case .answer: "answer"
        case .latency: "latency"
        case .stall: "stall"
        case .goAway: "goAway"
        case .reset: "reset"
        case .close: "close"
        case .streamLimit: "streamLimit"
        case .dropDelivery: "dropDelivery"
        case .duplicateDelivery: "duplicateDelivery"
        }
    }

    /// What a fault of this kind can be bound to.
    fileprivate enum Subject {
        case request
        case connection
        case delivery
    }

    fileprivate var subject: Subject {
        switch self {
        case .answer, .latency, .stall, .goAway, .reset, .close: .request
        case .streamLimit: .connection
        case .dropDelivery, .duplicateDelivery: .delivery
        }
    }

    private static let readers:
        [(word: String, read: @Sendable (inout ObjectReader) throws(DocumentProblem) -> Fault.Kind)] = [
            ("answer", { (json) throws(DocumentProblem) in .answer(try FaultAnswer(reading: &json)) }),
            ("latency", { (json) throws(DocumentProblem) in .latency(try json.latency()) }),
            (
                "stall",
                { (json) throws(DocumentProblem) in .stall(try json.number("seconds", in: 0...Fault.longest)) }
            ),
            (
                "goAway",
                { (json) throws(DocumentProblem) in .goAway(try FaultGoAway(reading: &json, hasRequest: true)) }
            ),
            (
                "reset",
                { (json) throws(DocumentProblem) in
                    // INTERNAL_ERROR, unless another one is asked for.
                    .reset(
                        code: try json.integer("code", in: 0...0xFFFF_FFFF) ?? 2,
                        isTaken: try json.bool("taken") ?? false
                    )
                }
            ),
            ("close", { (json) throws(DocumentProblem) in .close(isTaken: try json.bool("taken") ?? false) }),
            (
                "streamLimit",
                { (json) throws(DocumentProblem) in
                    let streams = try json.integer("streams", in: 0...0x7FFF_FFFF)
                    return .streamLimit(try json.need(streams, "streams", "how many may be open at once"))
                }
            ),
            (
                "dropDelivery",
                { (json) throws(DocumentProblem) in .dropDelivery(isForGood: try json.bool("forGood") ?? false) }
            ),
            (
                "duplicateDelivery",
                { (json) throws(DocumentProblem) in
                    .duplicateDelivery(copies: try json.integer("copies", in: 2...100) ?? 2)
                }
            ),
        ]

    fileprivate init(reading json: inout ObjectReader) throws(DocumentProblem) {
        let words = Self.readers.map { ($0.word, $0.read) }
        let read = try json.need(
            try json.word("kind", of: words),
            "kind",
            "one of " + words.map { "'\($0.0)'" }.joined(separator: ", ")
        )
        self = try read(&json)
    }

    fileprivate var details: [(String, JSONValue?)] {
        switch self {
        case .answer(let answer): answer.details
        case .latency(let range):
            [
                (
                    "seconds",
                    range.lowerBound == range.upperBound
                        ? .double(range.lowerBound) : [.double(range.lowerBound), .double(range.upperBound)]
                )
            ]
        case .stall(let seconds): [("seconds", seconds.map { .double($0) })]
        case .goAway(let goAway): goAway.details
        case .reset(let code, let isTaken): [("code", .integer(Int64(code))), ("taken", .bool(isTaken))]
        case .close(let isTaken): [("taken", .bool(isTaken))]
        case .streamLimit(let limit): [("streams", .integer(Int64(limit)))]
        case .dropDelivery(let isForGood): [("forGood", .bool(isForGood))]
        case .duplicateDelivery(let copies): [("copies", .integer(Int64(copies)))]
        }
    }
}

extension Fault {
    /// In seconds: thirty years, which is as good as for ever.
    fileprivate static let longest: Double = 1_000_000_000

    /// - Throws: ``DocumentProblem``, which names the key, what was found and what was expected.
    package init(json: JSONValue, at path: String = "") throws(DocumentProblem) {
        var json = try ObjectReader(json, at: path)
        try self.init(reading: &json)
        try json.finish()
    }

    init(reading json: inout ObjectReader) throws(DocumentProblem) {
        let kind = try Kind(reading: &json)
        self.init(kind)
        conditions.environment = try json.environment()
        if kind.subject != .connection {
            conditions.topic = try json.text("topic")
            if let text = try json.text("token") {
                guard let token = DeviceToken(text) else {
                    throw json.problem("token", .string(text), "an even number of hexadecimal digits")
                }
                conditions.token = token
            }
            next = try json.integer("next", in: 1...1_000_000_000)
            every = try json.integer("every", in: 1...1_000_000_000) ?? 1
            chance = try json.number("chance", in: 0...1) ?? 1
        }
        if kind.subject == .request { conditions.path = try json.text("path") }
        if kind.subject != .delivery {
            conditions.connection = try json.connection(mayBeFirst: kind.subject == .request)
        }
        from = try json.number("from", in: 0...Self.longest) ?? 0
        until = try json.number("until", in: 0...Self.longest)
        if let until, until <= from {
            throw json.problem("until", .double(until), "more than 'from', which is \(from)")
        }
    }

    package var json: JSONObject {
        var object: JSONObject = ["kind": .string(kind.name)]
        for (key, value) in kind.details { object[key] = value }
        object["environment"] = conditions.environment.map { .string($0.rawValue) }
        object["token"] = conditions.token.map { .string($0.hexadecimal) }
        object["topic"] = conditions.topic.map { .string($0) }
        object["path"] = conditions.path.map { .string($0) }
        switch conditions.connection {
        case .each: break
        case .first: object["connection"] = "first"
        case .number(let number): object["connection"] = .integer(Int64(number))
        }
        object["next"] = next.map { .integer(Int64($0)) }
        if every > 1 { object["every"] = .integer(Int64(every)) }
        if chance < 1 { object["chance"] = .double(chance) }
        if from > 0 { object["from"] = .double(from) }
        object["until"] = until.map { .double($0) }
        return object
    }
}

extension ObjectReader {
    /// A number of seconds, or a range of them.
    fileprivate mutating func latency() throws(DocumentProblem) -> ClosedRange<Double> {
        let expected = "a number of seconds, or two of them as [least, most]"
        guard let value = member("seconds") else { return try need(nil, "seconds", expected) }
        let bounds = (value.array ?? [value, value]).map(\.double)
        guard bounds.count == 2, let least = bounds[0], let most = bounds[1], least >= 0, most >= least,
            most <= Fault.longest
        else { throw problem("seconds", value, expected) }
        return least...most
    }

    fileprivate mutating func connection(
        mayBeFirst: Bool
    ) throws(DocumentProblem) -> FaultConditions.Connection {
        guard let value = member("connection") else { return .each }
        if mayBeFirst, value.string == "first" { return .first }
        guard let number = value.integer, number > 0 else {
            throw problem("connection", value, "the number of a connection" + (mayBeFirst ? ", or 'first'" : ""))
        }
        return .number(Int(number))
    }
}
