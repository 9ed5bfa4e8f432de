/// A parameter of a statement, with its type in PostgreSQL. Optional payloads are NULL if nil.
package enum PostgresValue: Sendable {
    case bool(Bool?)
    /// `bytea`
    case bytes([UInt8]?)
    /// `int8`
    case int64(Int64?)
    /// `int4`
    case int32(Int32?)
    case text(String?)
    /// `int8[]`
    case int64s([Int64?])
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
        case .int32: 23
        case .text: 25
        case .bools: 1000
        case .byteArrays: 1001
        case .texts: 1009
        case .int64s: 1016
        }
    }

    /// Appends the value in PostgreSQL's binary format; returns false for NULL, which appends nothing.
    func append(to bytes: inout [UInt8]) -> Bool {
        switch self {
        case .bool(let value): value.map { bytes.append($0 ? 1 : 0) } != nil
        case .bytes(let value): value.map { bytes += $0 } != nil
        case .int64(let value): value.map { Self.append($0, to: &bytes) } != nil
        case .int32(let value): value.map { Self.append($0, to: &bytes) } != nil
        case .text(let value): value.map { bytes += $0.utf8 } != nil
        case .bools(let values): Self.append(values, of: 16, to: &bytes) { $1.append($0 ? 1 : 0) }
        case .byteArrays(let values): Self.append(values, of: 17, to: &bytes) { $1 += $0 }
        case .texts(let values): Self.append(values, of: 25, to: &bytes) { $1 += $0.utf8 }
        case .int64s(let values): Self.append(values, of: 20, to: &bytes) { Self.append($0, to: &$1) }
        }
    }

    /// Appends the value after its length, -1 for NULL.
    func appendField(to bytes: inout [UInt8]) {
        let place = bytes.count
        Self.append(Int32(-1), to: &bytes)
        if append(to: &bytes) { Self.setLength(at: place, of: &bytes) }
    }

    /// Appends a number, most significant byte first.
    static func append<Value: FixedWidthInteger>(_ value: Value, to bytes: inout [UInt8]) {
        unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    /// Writes the number of bytes that follow a length of four bytes.
    private static func setLength(at place: Int, of bytes: inout [UInt8]) {
        let length = UInt32(bytes.count - place - 4)
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * index)) }
    }

    /// Appends an array of one dimension: their number, whether there are NULLs, the type of the elements, the count, the first index, and
    /// the elements after their lengths.
    private static func append<Value>(
        _ values: [Value?],
        of type: Int32,
        to bytes: inout [UInt8],
        _ encode: (Value, inout [UInt8]) -> Void
    ) -> Bool {
        append(Int32(values.isEmpty ? 0 : 1), to: &bytes)
        append(Int32(values.contains { $0 == nil } ? 1 : 0), to: &bytes)
        append(type, to: &bytes)
        guard !values.isEmpty else { return true }
        append(Int32(values.count), to: &bytes)
        append(Int32(1), to: &bytes)
        for value in values {
            let place = bytes.count
            append(Int32(-1), to: &bytes)
            guard let value else { continue }
            encode(value, &bytes)
            setLength(at: place, of: &bytes)
        }
        return true
    }
}
