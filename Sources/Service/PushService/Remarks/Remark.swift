package import PushModel

/// A sentence for people with its code and values, so that a page can say it in another language.
package struct Remark: Hashable, Sendable {
    package var code: Code
    /// The values by the names of their places in the sentences. Dates are in ISO 8601.
    package var values: [String: String]

    package init(_ code: Code, _ values: [String: any CustomStringConvertible] = [:]) {
        self.code = code
        self.values = values.mapValues { "\($0)" }
    }

    /// The finding in English; empty for a remark that only adds a remedy.
    package var found: String { fill(code.found) }
    /// The remedy in English; nil if nothing is to be done.
    package var remedy: String? { code.remedy.map(fill) }

    private func fill(_ words: String) -> String {
        Words.fill(words) { name in values[name].map { name == "days" ? Self.days($0) : $0 } }
    }

    private static func days(_ text: String) -> String {
        switch Int(text) ?? 0 {
        case ..<1: "less than a day"
        case 1: "1 day"
        case let days: "\(days) days"
        }
    }

    /// `{"code":"diskShort","values":{"mebibytes":"80"}}`.
    package var json: JSONValue {
        let values = values.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
        return ["code": .string(code.rawValue), "values": .object(JSONObject(values))]
    }

    /// Reads a remark from an answer; nil if this version does not know its code.
    package init?(json: JSONValue) {
        guard let code = json.object?["code"]?.string.flatMap(Code.init(rawValue:)) else { return nil }
        self.init(code)
        for member in json.object?["values"]?.object?.members ?? [] { values[member.key] = member.value.string }
    }
}

extension Remark: JSONVersioned {
    package static var form: JSONForm<Remark> { JSONForm("a remark", Remark.init(json:)) }
}

extension [Remark] {
    /// The finding in English.
    package var found: String { map(\.found).filter { !$0.isEmpty }.joined(separator: " ") }
    /// The remedies in English; nil if nothing is to be done.
    package var remedy: String? {
        let remedies = compactMap(\.remedy)
        return remedies.isEmpty ? nil : remedies.joined(separator: " ")
    }
}
