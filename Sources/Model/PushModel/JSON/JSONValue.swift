package import Foundation

/// A JSON value that distinguishes what Foundation does not: `1` and `true`, integers and fractions.
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`; never read from a number.
    case bool(Bool)
    /// A number without fraction and exponent that fits 64 bits.
    case integer(Int64)
    /// Any other number that a `Double` writes as it was written.
    case double(Double)
    /// Any other number, as it was written: `18446744073709551615`, `1.10`, `1e5`.
    case decimal(String)
    /// A text.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Values by key, with the keys in their order.
    case object(JSONObject)
}

extension JSONValue {
    /// Strings are compared octet by octet.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.decimal(let left), .decimal(let right)): left == right
        case (.string(let left), .string(let right)): left.isSame(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .decimal(let value): hasher.combine(value)
        case .string(let value): hasher.combine(ExactText(value))
        case .array(let values): hasher.combine(values)
        case .object(let object): hasher.combine(object)
        }
    }
}

extension JSONValue {
    /// The string; nil for another type.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The integer; nil for another type, also for a number with a fraction or exponent.
    public var integer: Int64? {
        switch self {
        case .integer(let value): value
        // Of these, only a negative zero fits.
        case .decimal(let text): Int64(text)
        default: nil
        }
    }
    /// The boolean; nil for another type.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The elements; nil for another type.
    public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    /// The object; nil for another type.
    public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }
    /// The object; an empty array counts as one, because PHP writes an empty object in that way. Nil for another value.
    package var objectOrEmpty: JSONObject? { if case .array(let values) = self, values.isEmpty { [:] } else { object } }
    /// The text of a string, a number as it was written, or a boolean; nil for another value.
    package var plainText: String? {
        switch self {
        case .string(let text): text
        case .bool, .integer, .double, .decimal: text
        case .null, .array, .object: nil
        }
    }
    /// The number, also of an integer; nil for another type.
    public var double: Double? {
        switch self {
        case .double(let value): value
        case .integer(let value): Double(value)
        case .decimal(let text): Double(text)
        default: nil
        }
    }

    /// The string, or the digits of a whole number that is not negative; nil for another value.
    package var stringOrDigits: String? {
        switch self {
        case .string(let text): return text
        case .integer(let number) where number >= 0: return String(number)
        // Such as one that does not fit 64 bits.
        case .decimal(let text) where text.utf8.allSatisfy(\.isDigit): return text
        default: return nil
        }
    }

    /// The value's type in the words of an error message, such as `a number`.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .double, .decimal: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
}

/// A value of Swift whose JSON needs no coder.
package protocol JSONConvertible { var json: JSONValue { get } }

extension String: JSONConvertible { package var json: JSONValue { .string(self) } }
extension Bool: JSONConvertible { package var json: JSONValue { .bool(self) } }
extension Int: JSONConvertible { package var json: JSONValue { .integer(Int64(self)) } }
extension Int64: JSONConvertible { package var json: JSONValue { .integer(self) } }
extension Double: JSONConvertible { package var json: JSONValue { .double(self) } }
extension JSONObject: JSONConvertible { package var json: JSONValue { .object(self) } }

/// Shorter forms for the values of Swift.
extension JSONValue {
    package static func number(_ number: some BinaryInteger) -> JSONValue { .integer(Int64(number)) }
    /// A date in ISO 8601, in whole seconds.
    package static func date(_ date: Date) -> JSONValue { date.json }
    package static func strings(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map { .string($0) }) }

    /// An object of texts, in the order of their names.
    package static func strings(_ texts: [String: String]) -> JSONValue {
        .object(JSONObject(texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
    }

    /// The text; nil for nil. Frames of links have many.
    package init?(_ text: String?) {
        guard let text else { return nil }
        self = .string(text)
    }

    /// The JSON of a value; nil for nil, for members that an object has or leaves out.
    package init?(_ value: (some JSONConvertible)?) {
        guard let value else { return nil }
        self = value.json
    }

    package static func orNull(_ value: (some JSONConvertible)?) -> JSONValue { value?.json ?? .null }
}
