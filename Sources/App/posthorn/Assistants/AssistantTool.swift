import PushModel

/// A tool that an assistant can call: its name, its parameters as a JSON schema, and what it does.
struct AssistantTool: Sendable {
    struct Parameter: Sendable {
        /// A type in the words of JSON Schema.
        enum Kind: String {
            case string, integer, boolean, object
            /// An array of strings.
            case array
        }

        var name: String
        var kind: Kind
        var about: String
        var isRequired = false
        /// The allowed values; empty for any.
        var values: [String] = []

        init(_ name: String, _ kind: Kind, about: String, isRequired: Bool = false, values: [String] = []) {
            (self.name, self.kind, self.about, self.isRequired, self.values) = (name, kind, about, isRequired, values)
        }

        var schema: JSONValue {
            var schema: JSONObject = ["type": .string(kind.rawValue), "description": .string(about)]
            if !values.isEmpty { schema["enum"] = .strings(values) }
            if kind == .array { schema["items"] = ["type": "string"] }
            return .object(schema)
        }
    }

    var name: String
    var about: String
    /// Whether it changes nothing.
    var isReadOnly = true
    var parameters: [Parameter] = []
    var call: @Sendable (AssistantSession, ToolArguments) async throws -> String

    /// The entry in the list of tools.
    var json: JSONValue {
        [
            "name": .string(name), "description": .string(about),
            "inputSchema": [
                "type": "object", "properties": .object(JSONObject(parameters.map { ($0.name, $0.schema) })),
                "required": .strings(parameters.filter(\.isRequired).map(\.name)), "additionalProperties": false,
            ],
            "annotations": [
                "readOnlyHint": .bool(isReadOnly), "destructiveHint": false, "openWorldHint": false,
            ],
        ]
    }
}

/// The arguments of a call, checked against the tool's parameters.
struct ToolArguments: Sendable {
    private let values: JSONObject

    /// Checks names, types, allowed values and that nothing required is missing.
    init(_ values: JSONObject, of tool: AssistantTool) throws(ToolProblem) {
        let names = tool.parameters.map(\.name)
        if let other = values.keys.first(where: { !names.contains($0) }) {
            throw ToolProblem("'\(other)' is not known; expected some of \(names.joined(separator: ", ")).")
        }
        for parameter in tool.parameters {
            guard let value = values[parameter.name] else {
                guard !parameter.isRequired else {
                    throw ToolProblem("'\(parameter.name)' is missing: \(parameter.about)")
                }
                continue
            }
            guard Self.fits(value, parameter.kind) else {
                throw ToolProblem(
                    "'\(parameter.name)' is \(value.text.prefix(80)); expected \(parameter.kind.rawValue)."
                )
            }
            guard parameter.values.isEmpty || parameter.values.contains(value.string ?? "") else {
                let expected = parameter.values.joined(separator: ", ")
                throw ToolProblem("'\(parameter.name)' is \(value.text.prefix(80)); expected one of \(expected).")
            }
        }
        self.values = values
    }

    private static func fits(_ value: JSONValue, _ kind: AssistantTool.Parameter.Kind) -> Bool {
        switch kind {
        case .string: value.string != nil
        case .integer: value.integer != nil
        case .boolean: value.bool != nil
        case .object: value.object != nil
        case .array: value.array?.allSatisfy { $0.string != nil } ?? false
        }
    }

    func text(_ name: String) -> String? { values[name]?.string }
    func number(_ name: String) -> Int? { values[name]?.integer.map { Int($0) } }
    func isTrue(_ name: String) -> Bool { values[name]?.bool ?? false }
    func texts(_ name: String) -> [String] { values[name]?.array?.compactMap(\.string) ?? [] }
    func object(_ name: String) -> JSONObject { values[name]?.object ?? [:] }

    /// Returns options of a command. An option and its value are one word, so that no value can become an option.
    ///
    /// - Parameters:
    ///   - valued: the names of arguments whose values are those of the option of the same name.
    ///   - flags: the names of arguments that are flags.
    /// - Returns: the options that have a value, and the flags that are set.
    func options(_ valued: [String], flags: [String] = []) -> [String] {
        func option(_ name: String) -> String { "--" + name.replacing("_", with: "-") }
        return valued.compactMap { name in
            (text(name) ?? number(name).map(String.init)).map { "\(option(name))=\($0)" }
        } + flags.filter(isTrue).map(option)
    }
}
