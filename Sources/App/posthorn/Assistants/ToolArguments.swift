import CTools
import PushModel

/// The arguments of a call, checked against the tool's schema.
struct ToolArguments: Sendable {
    /// The tools, as the protocol lists them.
    static let tools: [JSONValue] = {
        // The bytes are constants of the binary.
        let file = unsafe tools_list()
        let json = unsafe try? JSONValue(parsing: UnsafeBufferPointer(start: file.bytes, count: file.length))
        return json?.array ?? []
    }()

    private let values: JSONObject
    private let properties: JSONObject

    /// Checks names, types, allowed values and that nothing required is missing. Null counts as not given.
    init(_ given: JSONObject, schema: JSONObject) throws(ToolProblem) {
        properties = schema["properties"]?.object ?? [:]
        var values: JSONObject = [:]
        for member in given.members where member.value != .null {
            values[member.key] = try Self.value(member.value, of: member.key, in: properties)
        }
        for name in schema["required"]?.array?.compactMap(\.string) ?? [] where values[name] == nil {
            throw ToolProblem("'\(name)' is missing: \(properties[name]?.object?["description"]?.string ?? "")")
        }
        self.values = values
    }

    private static func value(
        _ given: JSONValue,
        of name: String,
        in properties: JSONObject
    ) throws(ToolProblem) -> JSONValue {
        guard let property = properties[name]?.object else {
            let names = properties.keys.joined(separator: ", ")
            throw ToolProblem("'\(name.prefix(80))' is not known; expected some of \(names).")
        }
        let found = "'\(name)' is \(given.text.prefix(80))"
        let type = property["type"]?.string ?? ""
        guard let value = read(given, as: type) else { throw ToolProblem("\(found); expected \(type).") }
        if let allowed = property["enum"]?.array?.compactMap(\.string), !allowed.contains(value.string ?? "") {
            throw ToolProblem("\(found); expected one of \(allowed.joined(separator: ", ")).")
        }
        if let number = value.integer, let least = property["minimum"]?.integer,
            let most = property["maximum"]?.integer, !(least...most).contains(number)
        {
            throw ToolProblem("\(found); expected a number from \(least) to \(most).")
        }
        return value
    }

    /// Returns a value of a type of JSON Schema; nil if it is of another.
    ///
    /// Assistants often write a value as text: then the JSON in it counts, and for a list the text itself as the only one.
    static func read(_ value: JSONValue, as type: String) -> JSONValue? {
        if fits(value, type) { return value }
        guard let text = value.string else { return nil }
        if let parsed = try? JSONValue(parsing: text), fits(parsed, type) { return parsed }
        return type == "array" ? [value] : nil
    }

    private static func fits(_ value: JSONValue, _ type: String) -> Bool {
        switch type {
        case "string": value.string != nil
        case "integer": value.integer != nil
        case "boolean": value.bool != nil
        case "object": value.object != nil
        default: value.array?.allSatisfy { $0.string != nil } ?? false
        }
    }

    /// Returns a command's message with the names that an assistant knows in place of the command's options.
    func naming(_ message: String) -> String {
        // These options name the service.
        guard message.firstMatch(of: /--(?:app-key|master-secret|token|data|store)\b/) == nil else {
            return """
                No service is named: start_sandbox starts one, and 'posthorn mcp' finds others by POSTHORN_URL, POSTHORN_APP_KEY and \
                POSTHORN_MASTER_SECRET in its environment, for 'doctor' by POSTHORN_URL and POSTHORN_OPERATOR_TOKEN.
                """
        }
        return message.replacing(/'?--([a-z][a-z0-9-]*)'?|MSG_ID|REGISTRATION_ID/) { match in
            let name = String(match.1 ?? match.0).lowercased().replacing("-", with: "_")
            if properties[name] != nil { return "'\(name)'" }
            return ["url": "POSTHORN_URL", "ca": "POSTHORN_CA"][name] ?? String(match.0)
        }
    }

    func text(_ name: String) -> String? { values[name]?.string }
    func number(_ name: String) -> Int? { values[name]?.integer.map { Int($0) } }
    func texts(_ name: String) -> [String] { values[name]?.array?.compactMap(\.string) ?? [] }
    func object(_ name: String) -> JSONObject { values[name]?.object ?? [:] }

    /// The options of a command that have the names of arguments, but for some.
    ///
    /// An option and its value are one word, so that no value can become an option.
    func options(except others: String...) -> [String] {
        values.members.compactMap { member in
            let option = "--" + member.key.replacing("_", with: "-")
            return switch member.value {
            case _ where others.contains(member.key) || member.key == "target" || member.value == false: nil
            case true: option
            default: "\(option)=\(member.value.string ?? member.value.text)"
            }
        }
    }
}
