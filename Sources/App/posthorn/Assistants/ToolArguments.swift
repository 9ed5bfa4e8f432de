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

    /// Checks names, types, allowed values and that nothing required is missing.
    init(_ values: JSONObject, schema: JSONObject) throws(ToolProblem) {
        let properties = schema["properties"]?.object ?? [:]
        for name in schema["required"]?.array?.compactMap(\.string) ?? [] where values[name] == nil {
            throw ToolProblem("'\(name)' is missing: \(properties[name]?.object?["description"]?.string ?? "")")
        }
        for (name, value) in values.members.map({ ($0.key, $0.value) }) {
            guard let property = properties[name]?.object else {
                let names = properties.keys.joined(separator: ", ")
                throw ToolProblem("'\(name)' is not known; expected some of \(names).")
            }
            let type = property["type"]?.string ?? ""
            guard Self.fits(value, type) else {
                throw ToolProblem("'\(name)' is \(value.text.prefix(80)); expected \(type).")
            }
            if let allowed = property["enum"]?.array?.compactMap(\.string), !allowed.contains(value.string ?? "") {
                let expected = allowed.joined(separator: ", ")
                throw ToolProblem("'\(name)' is \(value.text.prefix(80)); expected one of \(expected).")
            }
        }
        self.values = values
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
