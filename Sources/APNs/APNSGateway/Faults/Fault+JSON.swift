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
        if kind.word.subject != .connection {
            conditions.topic = try json.optional("topic", .text)
            conditions.token = try json.optional("token", .deviceToken)
            next = try json.optional("next", .integer(in: 1...1_000_000_000))
            every = try json.optional("every", .integer(in: 1...1_000_000_000)) ?? 1
            chance = try json.optional("chance", .number(in: 0...1)) ?? 1
        }
        if kind.word.subject == .request { conditions.path = try json.optional("path", .text) }
        if kind.word.subject != .delivery {
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
        for (key, value) in kind.details { object[key] = value }
        object["environment"] = conditions.environment.map { .string($0.rawValue) }
        object["token"] = conditions.token.map { .string($0.hexadecimal) }
        object["topic"] = conditions.topic.map { .string($0) }
        object["path"] = conditions.path.map { .string($0) }
        switch conditions.connection {
        case .each: break
        case .first: object["connection"] = "first"
        case .number(let number): object["connection"] = .number(number)
        }
        object["next"] = next.map { .number($0) }
        if every > 1 { object["every"] = .number(every) }
        if chance < 1 { object["chance"] = .double(chance) }
        if from > 0 { object["from"] = .double(from) }
        object["until"] = until.map { .double($0) }
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
