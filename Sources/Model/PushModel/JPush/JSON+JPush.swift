extension JSONObject {
    /// Parses the body of a request.
    ///
    /// - Throws: the error that `refusal` makes of a sentence, for a body that is not a JSON object.
    package init(body: [UInt8], refusal: (String) -> JPushError) throws(JPushError) {
        let json: JSONValue
        do { json = try JSONValue(parsing: body) } catch { throw refusal("The body is not JSON: \(error).") }
        guard let object = json.object else { throw refusal("The body is \(json.kind), not an object.") }
        self = object
    }
}

extension JSONReader {
    /// Reads the body of a request, in which null stands for a missing member.
    ///
    /// - Throws: 1002 for a body that is not a JSON object and for a missing member, 1009 for a key besides `keys`, 1003 for another problem.
    package static func read<Value>(
        _ body: [UInt8],
        keys: [String],
        _ read: (JSONReader) throws(JSONProblem) -> Value
    ) throws(JPushError) -> Value {
        let members = JSONReader(try JSONObject(body: body, refusal: JPushError.missing).withoutNulls)
        do throws(JSONProblem) {
            try members.refuseKeys(besides: keys)
            return try read(members)
        } catch { throw JPushError(error) }
    }
}

extension JSONForm<String> {
    /// A text of this many bytes without control characters.
    package static func name(bytes: ClosedRange<Int>) -> Self {
        Self("a string of \(bytes.lowerBound) to \(bytes.upperBound) bytes without control characters") { value in
            value.string.flatMap { bytes.contains($0.utf8.count) && $0.controlInName == nil ? $0 : nil }
        }
    }
}

extension JPushError {
    /// Creates the error for a member of a body: 1002 if it is missing, 1009 if it is not known, 1003 for its value.
    init(_ problem: JSONProblem) {
        if problem.isMissing {
            self = .missing("\(problem)")
        } else if problem.isUnknownKey {
            self = .unsupportedKey("\(problem)")
        } else {
            self = .badValue("\(problem)")
        }
    }
}

extension JSONParser {
    /// Parses the JSON text of a push or a question about one, without null members.
    static func push(_ text: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        var parser = JSONParser(bytes: text)
        let value = try parser.document()
        return parser.withoutNulls(value, since: 0)
    }

    /// Returns a value without null members, if `empties` has grown since the number given.
    func withoutNulls(_ value: JSONValue, since before: Int) -> JSONValue {
        guard empties > before, case .object(let object) = value else { return value }
        return .object(object.withoutNulls)
    }
}

extension JSONObject {
    /// Members with the caller's own data, in which null may be meaningful.
    private static let foreign = ["extras", "voip", "attributes", "content-state", "params"]

    /// Members that are objects. PHP writes an empty one as an array.
    private static let objects =
        [
            "alert", "audience", "callback", "geofence", "inapp_message", "live_activity", "message", "notification",
            "notification_3rd", "options", "portal_extra", "sms_message", "sound", "third_party_channel",
        ] + Platform.allCases.map(\.rawValue)

    /// The push object without null members, at any depth: some libraries write null for unset members. Empty arrays in the place of
    /// objects are empty objects.
    ///
    /// The caller's own data in `extras` and similar members stays unchanged.
    var withoutNulls: JSONObject {
        JSONObject(
            distinct: members.compactMap { member in
                switch member.value {
                case .null: nil
                case .array(let values) where values.isEmpty && Self.objects.contains(member.key):
                    Member(key: member.key, value: .object([:]))
                case .object(let object) where !Self.foreign.contains(member.key):
                    Member(key: member.key, value: .object(object.withoutNulls))
                default: member
                }
            }
        )
    }
}

// Integers and booleans as callers of JPush write them. The PHP class that many projects have copied sends its numbers as strings
// and its booleans as 0 and 1; other languages make a fraction of a whole number.

extension JSONValue {
    /// The integer in a member of JPush's JSON: `600`, `600.0` or `"600"`; nil for anything else.
    package var jpushInteger: Int64? {
        switch self {
        case .integer(let value): return value
        case .double, .decimal:
            // Beyond 2^53 a Double is not the number that was written.
            guard let double, double.magnitude <= 9_007_199_254_740_992 else { return nil }
            return Int64(exactly: double)
        case .string(let text):
            let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
            guard digits.allSatisfy(\.isDigit) else { return nil }
            return Int64(text)
        case .null, .bool, .array, .object: return nil
        }
    }

    /// The boolean in a member of JPush's JSON: `true`, `1`, `"true"` or `"1"`, and likewise false; nil for anything else.
    package var jpushBool: Bool? {
        switch self {
        case .bool(let value): value
        case .string("true"): true
        case .string("false"): false
        default:
            switch jpushInteger {
            case 1: true
            case 0: false
            default: nil
            }
        }
    }
}
