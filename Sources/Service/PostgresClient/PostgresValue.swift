/// A parameter of a statement, with its type in PostgreSQL. Optional payloads are NULL if nil.
package enum PostgresValue: Sendable {
    case bool(Bool?)
    /// `bytea`
    case bytes([UInt8]?)
    /// `int8`
    case int64(Int64?)
    /// `int2`
    case int16(Int16?)
    /// `int4`
    case int32(Int32?)
    case text(String?)
    /// `float8`
    case double(Double?)
    /// `int8[]`
    case int64s([Int64?])
    /// `int4[]`
    case int32s([Int32?])
    /// `text[]`
    case texts([String?])
    /// `bytea[]`
    case byteArrays([[UInt8]?])
    /// `bool[]`
    case bools([Bool?])

    /// The identifier of the type in PostgreSQL's catalogue `pg_type`, fixed for the built-in types.
    var type: UInt32 {
        switch self {
        case .bool: 16
        case .bytes: 17
        case .int64: 20
        case .int16: 21
        case .int32: 23
        case .text: 25
        case .double: 701
        case .bools: 1000
        case .byteArrays: 1001
        case .int32s: 1007
        case .texts: 1009
        case .int64s: 1016
        }
    }

    /// The value in PostgreSQL's binary format; nil for NULL.
    var binary: [UInt8]? {
        switch self {
        case .bool(let value): value.map { [$0 ? 1 : 0] }
        case .bytes(let value): value
        case .int64(let value): value.map(Self.bigEndian)
        case .int16(let value): value.map(Self.bigEndian)
        case .int32(let value): value.map(Self.bigEndian)
        case .text(let value): value.map { Array($0.utf8) }
        case .double(let value): value.map { Self.bigEndian(Int64(bitPattern: $0.bitPattern)) }
        case .bools(let values): Self.array(of: 16, values) { [$0 ? 1 : 0] }
        case .byteArrays(let values): Self.array(of: 17, values) { $0 }
        case .int32s(let values): Self.array(of: 23, values, Self.bigEndian)
        case .texts(let values): Self.array(of: 25, values) { Array($0.utf8) }
        case .int64s(let values): Self.array(of: 20, values, Self.bigEndian)
        }
    }

    static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        unsafe withUnsafeBytes(of: value.bigEndian) { unsafe Array($0) }
    }

    /// An array of one dimension: their number, whether there are NULLs, the type of the elements, the count, the first index, and
    /// the elements after their lengths.
    private static func array<Value>(of type: Int32, _ values: [Value?], _ encode: (Value) -> [UInt8]) -> [UInt8] {
        let hasNulls = values.contains { $0 == nil }
        var bytes = bigEndian(Int32(values.isEmpty ? 0 : 1)) + bigEndian(Int32(hasNulls ? 1 : 0)) + bigEndian(type)
        guard !values.isEmpty else { return bytes }
        bytes += bigEndian(Int32(values.count)) + bigEndian(Int32(1))
        for value in values { appendField(value.map(encode), to: &bytes) }
        return bytes
    }

    /// Appends a field after its length, -1 for NULL.
    static func appendField(_ field: [UInt8]?, to bytes: inout [UInt8]) {
        bytes += bigEndian(Int32(field?.count ?? -1))
        if let field { bytes += field }
    }
}

extension PostgresValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    package init(integerLiteral value: Int64) { self = .int64(value) }
    package init(stringLiteral value: String) { self = .text(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}
