package import Foundation
package import PushModel

/// Any value of a property list.
package enum PropertyListValue: Decodable {
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case date(Date)
    case data(Data)
    case array([PropertyListValue])
    case dictionary([String: PropertyListValue])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        func read<Value: Decodable>(_ type: Value.Type) -> Value? { try? container.decode(type) }
        if let value = read(Bool.self) {
            self = .bool(value)
        } else if let value = read(Int64.self) {
            self = .integer(value)
        } else if let value = read(Double.self) {
            self = .number(value)
        } else if let value = read(String.self) {
            self = .string(value)
        } else if let value = read(Date.self) {
            self = .date(value)
        } else if let value = read(Data.self) {
            self = .data(value)
        } else if let value = read([PropertyListValue].self) {
            self = .array(value)
        } else {
            self = .dictionary(try container.decode([String: PropertyListValue].self))
        }
    }

    /// The value as JSON; dates and data become text, because JSON has neither.
    package var json: JSONValue {
        switch self {
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .number(let value): .double(value)
        case .string(let value): .string(value)
        case .date(let value): .date(value)
        case .data(let value): .string(value.base64EncodedString())
        case .array(let values): .array(values.map(\.json))
        case .dictionary(let values):
            .object(JSONObject(values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }))
        }
    }
}
