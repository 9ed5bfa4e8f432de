extension JSONParser {
    /// Parses the JSON text of a push or a question about one, without null members.
    static func push(_ text: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        var parser = JSONParser(bytes: text)
        let value = try parser.document()
        return parser.withoutNulls(value, since: 0)
    }

    /// Returns a value without null members, if `nulls` has grown since the number given.
    func withoutNulls(_ value: JSONValue, since before: Int) -> JSONValue {
        guard nulls > before, case .object(let object) = value else { return value }
        return .object(object.withoutNulls)
    }
}

extension JSONObject {
    /// Members with the caller's own data, in which null may be meaningful.
    private static let foreign = ["extras", "voip", "attributes", "content-state", "params"]

    /// The push object without null members, at any depth: some libraries write null for unset members.
    ///
    /// The caller's own data in `extras` and similar members stays unchanged.
    var withoutNulls: JSONObject {
        JSONObject(
            distinct: members.compactMap { member in
                switch member.value {
                case .null: nil
                case .object(let object) where !Self.foreign.contains(member.key):
                    Member(key: member.key, value: .object(object.withoutNulls))
                default: member
                }
            }
        )
    }
}
