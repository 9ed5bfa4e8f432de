package import Foundation
package import PushModel
package import PushService

/// A statement with its parameters, written as one text: each value in an interpolation becomes a parameter, never a part of the text.
///
/// Parts of a statement are interpolated as `\(raw: columns)`, or as statements.
package struct SQLStatement: Sendable, ExpressibleByStringInterpolation {
    /// The text, with a question mark for each parameter.
    package var text: String
    package var values: [SQLValue]

    /// Creates a statement from a fixed text, whose parameters may also be `$1`, `$2` and so on.
    package init(_ text: String, _ values: [SQLValue]) { (self.text, self.values) = (text, values) }

    package init(stringLiteral value: String) { self.init(value, []) }

    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.statement }

    /// The text with the parameters `$1`, `$2` and so on.
    package var numberedText: String {
        var (numbered, count): ([UInt8], Int) = ([], 0)
        for octet in text.utf8 {
            guard octet == UInt8(ascii: "?") else {
                numbered.append(octet)
                continue
            }
            count += 1
            numbered += "$\(count)".utf8
        }
        return String(decoding: numbered, as: UTF8.self)
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var statement = SQLStatement("", [])

        package init(literalCapacity: Int, interpolationCount: Int) {
            statement.text.reserveCapacity(literalCapacity + 2 * interpolationCount)
            statement.values.reserveCapacity(interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) { statement.text += literal }

        package mutating func appendInterpolation(raw text: String) { statement.text += text }

        package mutating func appendInterpolation(_ part: SQLStatement) {
            statement.text += part.text
            statement.values += part.values
        }

        package mutating func appendInterpolation(_ value: SQLValue) {
            statement.text += "?"
            statement.values.append(value)
        }

        package mutating func appendInterpolation(_ number: (some BinaryInteger)?) {
            appendInterpolation(.int64(number.map { Int64($0) }))
        }

        package mutating func appendInterpolation(_ flag: Bool?) { appendInterpolation(.bool(flag)) }
        package mutating func appendInterpolation(_ text: String?) { appendInterpolation(.text(text)) }
        package mutating func appendInterpolation(_ bytes: [UInt8]?) { appendInterpolation(.bytes(bytes)) }
        package mutating func appendInterpolation(_ id: MessageID) { appendInterpolation(.int64(id.number)) }

        /// Adds milliseconds since 1970.
        package mutating func appendInterpolation(_ date: Date?) { appendInterpolation(.int64(date?.milliseconds)) }

        package mutating func appendInterpolation(_ word: (some RawRepresentable<String>)?) {
            appendInterpolation(.text(word?.rawValue))
        }
    }
}

/// A parameter of a statement. Optional payloads are NULL if nil.
package enum SQLValue: Sendable {
    case bool(Bool?)
    case bytes([UInt8]?)
    case int64(Int64?)
    case text(String?)
    /// A list for ``SQLDialect/isAny(_:_:)``.
    case int64s([Int64])
    /// A list for ``SQLDialect/isAny(_:_:)``.
    case texts([String])

    package static func int(_ number: Int?) -> SQLValue { .int64(number.map { Int64($0) }) }
    package static func app(_ app: App.ID) -> SQLValue { .int64(Int64(app)) }
    package static func message(_ id: MessageID) -> SQLValue { .int64(id.number) }
    package static func ordinal(_ ordinal: DeviceOrdinal) -> SQLValue { .int64(Int64(ordinal)) }
    /// Milliseconds since 1970.
    package static func date(_ date: Date?) -> SQLValue { .int64(date?.milliseconds) }
    package static func word(_ word: (some RawRepresentable<String>)?) -> SQLValue { .text(word?.rawValue) }
}
