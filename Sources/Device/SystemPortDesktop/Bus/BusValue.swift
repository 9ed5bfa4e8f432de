/// A value in a D-Bus message, of the types that the desktop's interfaces use.
package indirect enum BusValue: Hashable, Sendable {
    /// `y`
    case byte(UInt8)
    /// `b`
    case boolean(Bool)
    /// `i`
    case int32(Int32)
    /// `u`
    case uint32(UInt32)
    /// `x`
    case int64(Int64)
    /// `s`; read also from `o` and `g`.
    case string(String)
    /// `as`
    case strings([String])
    /// `a{sv}`; read also from other dictionaries with strings as keys.
    case options([String: BusValue])
    /// A value of another type, which is not read: the code of its type.
    case other(UInt8)

    /// The type's signature in D-Bus.
    package var signature: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .string: "s"
        case .strings: "as"
        case .options: "a{sv}"
        case .other(let code): String(UnicodeScalar(code))
        }
    }

    /// The text of a ``string(_:)``; nil for other types.
    package var text: String? { if case .string(let text) = self { text } else { nil } }
    /// The number of a ``uint32(_:)``; nil for other types.
    package var number: UInt32? { if case .uint32(let number) = self { number } else { nil } }
    /// The elements of ``strings(_:)``; nil for other types.
    package var list: [String]? { if case .strings(let list) = self { list } else { nil } }
}
