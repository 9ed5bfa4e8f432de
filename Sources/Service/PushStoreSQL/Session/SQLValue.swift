package import Foundation
package import PushModel
package import PushService

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
