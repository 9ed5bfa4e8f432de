package import DeviceLink
package import PushModel

/// The body of a device's HTTP call, in the spelling of the REST API: the members of the SDK link with `_` in place of `-`.
package struct RegistrationBody: Sendable {
    /// The most receipts in a call.
    private static let receiptsAtOnce = 100

    private let members: JSONReader

    /// Reads a JSON object. No body is an empty one: HTTP clients send none for an object without members.
    ///
    /// - Throws: ``RegistrationRefusal`` with 6017 for another body.
    package init(parsing body: [UInt8]) throws(RegistrationRefusal) {
        let json: JSONValue
        do { json = body.isEmpty ? [:] : try JSONValue(parsing: body) } catch {
            throw RegistrationRefusal(6017, "The body is not JSON: \(error).")
        }
        do throws(JSONProblem) { members = try JSONReader(json) } catch {
            throw RegistrationRefusal(6017, "\(error)")
        }
    }

    /// Reads a registration with the tokens of the device.
    package func registration() throws -> (SDKRegistration, [SDKRequest]) {
        try reading { () throws(JSONProblem) in
            let registration = try SDKRegistration(Self.linked(members))
            return (registration, try tokens(in: registration.environment))
        }
    }

    /// Reads what a device reports at a start of its app. The environment of its tokens is the stored one, unless the body
    /// names another.
    package func report(stored: APNSEnvironment) throws -> (DeviceReport, [SDKRequest]) {
        try reading { () throws(JSONProblem) in
            let report = DeviceReport(
                environment: try members.optional("environment", .word),
                system: try members.optional("system", .string),
                channel: try members.optional("channel", .string),
                zone: try members.optional("zone", .string),
                appVersion: try members.optional("app_version", .string),
                language: try members.optional("language", .string),
                permission: try members.optional("permission", .word)
            )
            return (report, try tokens(in: report.environment ?? stored))
        }
    }

    private func tokens(in environment: APNSEnvironment) throws(JSONProblem) -> [SDKRequest] {
        var requests: [SDKRequest] = []
        if let token = try members.optional("token", .deviceToken) { requests.append(.token(token, environment)) }
        if let token = try members.optional("voip_token", .deviceToken) {
            requests.append(.voipToken(token, environment))
        }
        for (name, type) in [("activity_tokens", "activity-token"), ("activity_start_tokens", "activity-start-token")] {
            let tokens = try members.optional(name, .array) ?? []
            for (place, token) in tokens.enumerated() {
                let token = Self.linked(try JSONReader(token, at: "\(name)[\(place)]"))
                if let request = try SDKRequest(type: type, members: token) { requests.append(request) }
            }
        }
        return requests
    }

    /// Reads a request of a kind, such as `tags`; those about tags and aliases name an `operation`.
    package func request(_ kind: String) throws -> SDKRequest {
        try reading { () throws(JSONProblem) in
            var type = kind
            switch kind {
            case "tags": type = "\(kind)-\(try operation(["add", "set", "delete", "clean", "get", "check"]))"
            case "alias": type = "\(kind)-\(try operation(["set", "delete", "get"]))"
            case "push-switch" where members["on"] == nil || members["on"] == .null: type = "push-status"
            default: break
            }
            guard let request = try SDKRequest(type: type == "tags-check" ? "tag-check" : type, members: members) else {
                throw members.problem("operation", found: nil, expected: "a known one")
            }
            return request
        }
    }

    /// Reads the number of an operation; nil if it has none.
    package func sequence() throws -> Int64? {
        try reading { () throws(JSONProblem) in try members.optional("sequence", .sequence) }
    }

    private func operation(_ words: [String]) throws(JSONProblem) -> String {
        try members.need("operation", .word(of: words.map { ($0, $0) }))
    }

    /// Reads receipts.
    package func receipts() throws -> [DeviceReceipt] {
        try reading { () throws(JSONProblem) in
            let values = try members.need("receipts", .array)
            guard values.count <= Self.receiptsAtOnce else {
                throw JSONProblem(
                    path: "receipts",
                    found: "an array of \(values.count)",
                    expected: "at most \(Self.receiptsAtOnce)"
                )
            }
            return try values.enumerated().map { place, value throws(JSONProblem) in
                try DeviceReceipt(JSONReader(value, at: "receipts[\(place)]"))
            }
        }
    }

    /// Returns the object in the spelling of the link.
    private static func linked(_ members: JSONReader) -> JSONReader {
        let object = JSONObject(members.object.members.map { ($0.key.dashed, $0.value) })
        return JSONReader(object, at: members.path)
    }

    private func reading<Value>(_ read: () throws(JSONProblem) -> Value) throws -> Value {
        do throws(JSONProblem) { return try read() } catch {
            var problem = error
            problem.path = problem.path.replacing("-", with: "_")
            throw RegistrationRefusal(6017, "\(problem)")
        }
    }
}

extension DeviceReceipt {
    fileprivate init(_ members: JSONReader) throws(JSONProblem) {
        let event: SDKReceipt.Event = try members.need("event", .word)
        // The device's clock may be wrong, so the time decides nothing.
        _ = try members.need("time", JSONForm("a number") { $0.double })
        let message = try members.need("msg_id", .messageID)
        self.init(message: message, event: event)
    }
}

extension JSONForm<MessageID> {
    /// A message id as text, or as the integer in a payload.
    fileprivate static var messageID: Self {
        Self("a message id in decimal digits") { value in
            value.string.flatMap { MessageID($0) } ?? value.integer.map { MessageID($0) }
        }
    }
}
