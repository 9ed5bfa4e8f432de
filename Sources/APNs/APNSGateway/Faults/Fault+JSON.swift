package import PushModel

// One flat object per fault: {"kind":"answer","status":429,"reason":"TooManyRequests","token":"…","next":3}.

extension Fault {
    /// The longest time in seconds: about thirty years, in effect for ever.
    static let longest: Double = 1_000_000_000

    /// - Throws: ``DocumentProblem`` with the key, what was found and what was expected.
    package init(json: JSONValue, at path: String = "") throws(DocumentProblem) {
        var json = try ObjectReader(json, at: path)
        try self.init(reading: &json)
        try json.finish()
    }

    init(reading json: inout ObjectReader) throws(DocumentProblem) {
        let kind = try Kind(reading: &json)
        self.init(kind)
        conditions.environment = try json.environment()
        if kind.word.subject != .connection {
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
        if kind.word.subject == .request { conditions.path = try json.text("path") }
        if kind.word.subject != .delivery {
            conditions.connection = try json.connection(mayBeFirst: kind.word.subject == .request)
        }
        from = try json.number("from", in: 0...Self.longest) ?? 0
        until = try json.number("until", in: 0...Self.longest)
        if let until, until <= from {
            throw json.problem("until", .double(until), "more than 'from', which is \(from)")
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
