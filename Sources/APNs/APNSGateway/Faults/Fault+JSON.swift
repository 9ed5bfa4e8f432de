package import PushModel

// One flat object per fault: {"kind":"answer","status":429,"reason":"TooManyRequests","token":"…","next":3}.

extension Fault {
    /// The longest time in seconds: about thirty years, in effect for ever.
    static let longest: Double = 1_000_000_000

    /// - Throws: ``JSONProblem`` with the key, what was found and what was expected.
    package init(json: JSONValue, at path: String = "") throws(JSONProblem) {
        var json = try StrictJSONReader(json, at: path)
        try self.init(reading: &json)
        try json.finish()
    }

    init(reading json: inout StrictJSONReader) throws(JSONProblem) {
        let kind = try Kind(reading: &json)
        self.init(kind)
        conditions.environment = try json.optional("environment", .word)
        if kind.word.subject == .request || kind.word.subject == .delivery {
            conditions.topic = try json.optional("topic", .text)
            conditions.token = try json.optional("token", .deviceToken)
            next = try json.optional("next", .integer(in: 1...1_000_000_000))
            every = try json.optional("every", .integer(in: 1...1_000_000_000)) ?? 1
            chance = try json.optional("chance", .number(in: 0...1)) ?? 1
        }
        if kind.word.subject == .request { conditions.path = try json.optional("path", .text) }
        if kind.word.subject == .request || kind.word.subject == .connection {
            conditions.connection =
                try json.optional("connection", .connection(mayBeFirst: kind.word.subject == .request)) ?? .each
        }
        from = try json.optional("from", .number(in: 0...Self.longest)) ?? 0
        until = try json.optional("until", .number(in: 0...Self.longest))
        if let until, until <= from {
            throw json.problem("until", found: .double(until), expected: "more than 'from', which is \(from)")
        }
    }

    package var json: JSONObject {
        var object: JSONObject = ["kind": .string(kind.word.rawValue)]
        object.add(present: kind.details)
        object.add(present: [
            "environment": conditions.environment, "token": conditions.token?.hexadecimal, "topic": conditions.topic,
            "path": conditions.path,
        ])
        switch conditions.connection {
        case .each: break
        case .first: object["connection"] = "first"
        case .number(let number): object["connection"] = .number(number)
        }
        object.add(present: [
            "next": next, "every": every > 1 ? every : nil, "chance": chance < 1 ? chance : nil,
            "from": from > 0 ? from : nil, "until": until,
        ])
        return object
    }
}

extension JSONForm<FaultConditions.Connection> {
    fileprivate static func connection(mayBeFirst: Bool) -> Self {
        Self("the number of a connection" + (mayBeFirst ? ", or 'first'" : "")) { value in
            if mayBeFirst, value.string == "first" { return .first }
            return value.integer.flatMap { $0 > 0 ? .number(Int($0)) : nil }
        }
    }
}

/// The JSON names of the kinds of faults.
enum FaultWord: String, CaseIterable {
    case answer
    case latency
    case stall
    case goAway
    case reset
    case close
    case streamLimit
    case providerTokens
    case dropDelivery
    case duplicateDelivery

    /// The subject that a fault applies to.
    enum Subject {
        case request
        case connection
        case key
        case delivery
    }

    var subject: Subject {
        switch self {
        case .answer, .latency, .stall, .goAway, .reset, .close: .request
        case .streamLimit: .connection
        case .providerTokens: .key
        case .dropDelivery, .duplicateDelivery: .delivery
        }
    }
}

extension Fault.Kind {
    var word: FaultWord {
        switch self {
        case .answer: .answer
        case .latency: .latency
        case .stall: .stall
        case .goAway: .goAway
        case .reset: .reset
        case .close: .close
        case .streamLimit: .streamLimit
        case .providerTokens: .providerTokens
        case .dropDelivery: .dropDelivery
        case .duplicateDelivery: .duplicateDelivery
        }
    }

    init(reading json: inout StrictJSONReader) throws(JSONProblem) {
        switch try json.need("kind", JSONForm<FaultWord>.word) {
        case .answer: self = .answer(try FaultAnswer(reading: &json))
        case .latency: self = .latency(try json.need("seconds", .latency))
        case .stall: self = .stall(try json.optional("seconds", .number(in: 0...Fault.longest)))
        case .goAway: self = .goAway(try FaultGoAway(reading: &json, hasRequest: true))
        case .reset:
            let code = try json.optional("code", .integer(in: 0...0xFFFF_FFFF)) ?? Self.internalError
            self = .reset(code: code, isTaken: try json.optional("taken", .bool) ?? false)
        case .close: self = .close(isTaken: try json.optional("taken", .bool) ?? false)
        case .streamLimit:
            let limit = JSONForm.integer(in: 0...0x7FFF_FFFF)
            self = .streamLimit(try json.need("streams", limit, orMissing: "how many may be open at once"))
        case .providerTokens:
            let limit = JSONForm.integer(in: GatewayRules.possibleProviderTokens)
            self = .providerTokens(
                try json.need("limit", limit, orMissing: "how many of a key may be new in 20 minutes")
            )
        case .dropDelivery: self = .dropDelivery(isForGood: try json.optional("forGood", .bool) ?? false)
        case .duplicateDelivery:
            self = .duplicateDelivery(copies: try json.optional("copies", .integer(in: 2...100)) ?? 2)
        }
    }

    /// HTTP/2's INTERNAL_ERROR (RFC 9113, section 7).
    private static let internalError = 2

    var details: KeyValuePairs<String, (any Encodable)?> {
        switch self {
        case .answer(let answer): answer.details
        case .latency(let range):
            range.lowerBound == range.upperBound
                ? ["seconds": range.lowerBound] : ["seconds": [range.lowerBound, range.upperBound]]
        case .stall(let seconds): ["seconds": seconds]
        case .goAway(let goAway): goAway.details
        case .reset(let code, let isTaken): ["code": code, "taken": isTaken]
        case .close(let isTaken): ["taken": isTaken]
        case .streamLimit(let limit): ["streams": limit]
        case .providerTokens(let limit): ["limit": limit]
        case .dropDelivery(let isForGood): ["forGood": isForGood]
        case .duplicateDelivery(let copies): ["copies": copies]
        }
    }
}

extension JSONForm<ClosedRange<Double>> {
    /// A number of seconds, or a range of them.
    fileprivate static var latency: Self {
        Self("a number of seconds, or two of them as [least, most]") { value in
            let bounds = (value.array ?? [value, value]).map(\.double)
            guard bounds.count == 2, let least = bounds[0], let most = bounds[1], least >= 0, most >= least,
                most <= Fault.longest
            else { return nil }
            return least...most
        }
    }
}

extension FaultAnswer {
    init(reading json: inout StrictJSONReader) throws(JSONProblem) {
        let status = try json.optional("status", .integer(in: 200...599))
        // With a status beside it, a reason that Apple may add can be tried.
        let reason = try json.reason(mayBeNew: status != nil)
        guard let status = status ?? reason?.status else {
            throw json.problem("status", found: nil, expected: "an HTTP status, or a reason of APNs")
        }
        self.init(
            status: status,
            reason: reason,
            timestamp: try json.optional("timestamp", .integer(in: 0...Int64.max)).map(Int64.init),
            body: try json.optional("body", .text),
            retryAfter: try json.optional("retryAfter", .integer(in: 0...1_000_000_000))
        )
        if let body, reason != nil {
            throw json.problem("body", found: .string(body), expected: "either a body or a reason")
        }
    }

    var details: KeyValuePairs<String, (any Encodable)?> {
        [
            "status": status, "reason": reason?.rawValue, "timestamp": timestamp, "body": body,
            "retryAfter": retryAfter,
        ]
    }
}

extension FaultGoAway {
    private static let lastStreams: [(word: String, meaning: Last)] = [
        ("all", .all), ("this", .this), ("before", .before),
    ]

    /// `hasRequest` says whether a request triggers it, so that `this` refers to that request.
    init(reading json: inout StrictJSONReader, hasRequest: Bool) throws(JSONProblem) {
        self.init(
            reason: try json.reason(mayBeNew: false),
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

    var details: KeyValuePairs<String, (any Encodable)?> {
        let last: JSONValue =
            switch self.last {
            case .all: "all"
            case .this: "this"
            case .before: "before"
            case .stream(let number): .number(number)
            }
        return [
            "reason": reason?.rawValue, "debugData": debugData, "code": code, "lastStreamID": last, "twice": isTwice,
        ]
    }
}

extension StrictJSONReader {
    /// Reads a reason of APNs. With `mayBeNew` it need not be known.
    fileprivate mutating func reason(mayBeNew: Bool) throws(JSONProblem) -> APNSReason? {
        guard let text = try optional("reason", .text) else { return nil }
        let reason = APNSReason(rawValue: text)
        guard mayBeNew || APNSReason.known.contains(reason) else {
            throw problem("reason", found: .string(text), expected: APNSReason.expected(by: reason))
        }
        return reason
    }
}
