package import Foundation
package import PushModel
import PushService

/// A statement with its parameters, written as one text: each value in an interpolation becomes a parameter, never a part of the text.
///
/// Parts of a statement are interpolated as `\(raw: columns)`, or as statements.
package struct SQLStatement: Sendable, ExpressibleByStringInterpolation {
    /// The text, with a question mark for each parameter.
    package var text: String
    package var values: [SQLValue]

    /// Creates a statement from a fixed text, whose parameters may also be `$1`, `$2` and so on.
    package init(_ text: String, _ values: [SQLValue]) {
        self.text = text
        self.values = values
    }

    package init(stringLiteral value: String) { self.init(value, []) }

    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.statement }

    /// The text with the parameters `$1`, `$2` and so on.
    package var numberedText: String {
        var numbered: [UInt8] = []
        var count: Int = 0
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
        package mutating func appendInterpolation(_ texts: [String]) { appendInterpolation(.texts(texts)) }
        package mutating func appendInterpolation(_ id: MessageID) { appendInterpolation(.int64(id.number)) }

        package mutating func appendInterpolation(numbers: some Sequence<some BinaryInteger>) {
            appendInterpolation(.int64s(numbers.map { Int64($0) }))
        }

        /// Adds milliseconds since 1970.
        package mutating func appendInterpolation(_ date: Date?) { appendInterpolation(.int64(date?.milliseconds)) }

        package mutating func appendInterpolation(_ word: (some RawRepresentable<String>)?) {
            appendInterpolation(.text(word?.rawValue))
        }
    }
}
