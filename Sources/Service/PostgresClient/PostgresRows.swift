internal import CPostgres

/// The rows of a result, in PostgreSQL's binary format.
///
/// Not Sendable: values are read inside the body that got the result.
@safe package final class PostgresRows: RandomAccessCollection {
    private let result: OpaquePointer
    package let startIndex = 0
    package let endIndex: Int

    init(_ result: OpaquePointer) {
        unsafe self.result = result
        endIndex = unsafe Int(PQntuples(result))
    }

    deinit { unsafe PQclear(result) }

    package subscript(position: Int) -> PostgresRow { PostgresRow(rows: self, number: position) }

    /// The number of rows that the statement has inserted, changed, deleted or returned.
    package var affected: Int { unsafe Int(String(cString: PQcmdTuples(result))) ?? 0 }

    /// Returns the bytes of a column; nil for NULL.
    fileprivate func field(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
        let row = Int32(row)
        let place = Int32(column)
        precondition(unsafe place >= 0 && place < PQnfields(result), "the result has no column \(column)")
        guard unsafe PQgetisnull(result, row, place) == 0 else { return nil }
        return unsafe UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, place),
            count: Int(PQgetlength(result, row, place))
        )
    }
}

/// A row of a result. Columns count from 0.
///
/// A column that is NULL, or has another type than the one asked for, is a mistake in the statement and ends the process.
package struct PostgresRow {
    fileprivate let rows: PostgresRows
    fileprivate let number: Int

    package func isNull(_ column: Int) -> Bool { unsafe rows.field(number, column) == nil }

    /// An `int2`, `int4` or `int8`.
    package func optionalInt64(_ column: Int) -> Int64? {
        guard let field = unsafe rows.field(number, column) else { return nil }
        switch field.count {
        case 2: return unsafe Int64(Self.integer(field, Int16.self))
        case 4: return unsafe Int64(Self.integer(field, Int32.self))
        case 8: return unsafe Self.integer(field, Int64.self)
        case let count: preconditionFailure("column \(column) has \(count) bytes, which is not an integer")
        }
    }

    package func int64(_ column: Int) -> Int64 { present(optionalInt64(column), column) }
    package func int(_ column: Int) -> Int { Int(int64(column)) }

    package func optionalText(_ column: Int) -> String? {
        unsafe rows.field(number, column).map { unsafe String(decoding: $0, as: UTF8.self) }
    }

    package func text(_ column: Int) -> String { present(optionalText(column), column) }

    package func withOctets(_ column: Int, _ body: (Span<UInt8>) -> Void) {
        guard let field = unsafe rows.field(number, column) else { return }
        let start = unsafe field.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe body(UnsafeBufferPointer(start: start, count: field.count).span)
    }

    package func optionalBytes(_ column: Int) -> [UInt8]? { unsafe rows.field(number, column).map { unsafe Array($0) } }

    package func bytes(_ column: Int) -> [UInt8] { present(optionalBytes(column), column) }

    package func bool(_ column: Int) -> Bool {
        present(unsafe rows.field(number, column).map { unsafe $0.first == 1 }, column)
    }

    /// A `float8`.
    package func double(_ column: Int) -> Double {
        guard let field = unsafe rows.field(number, column), field.count == 8 else {
            preconditionFailure("column \(column) is not a float8")
        }
        return unsafe Double(bitPattern: Self.integer(field, UInt64.self))
    }

    /// An array of `text`, without NULLs.
    package func texts(_ column: Int) -> [String] {
        unsafe elements(column).map { unsafe String(decoding: $0, as: UTF8.self) }
    }

    private func elements(_ column: Int) -> [UnsafeRawBufferPointer] {
        guard let field = unsafe rows.field(number, column) else { preconditionFailure("column \(column) is NULL") }
        guard unsafe Self.integer(field, Int32.self) != 0 else { return unsafe [] }
        var place = 12
        func next() -> Int {
            defer { place += 4 }
            return unsafe Int(Self.integer(UnsafeRawBufferPointer(rebasing: field[place...]), Int32.self))
        }
        let count = next()
        // The index of the first element.
        _ = next()
        return unsafe (0..<count).map { _ in
            let length = next()
            precondition(length >= 0, "column \(column) has a NULL among its elements")
            defer { place += length }
            return unsafe UnsafeRawBufferPointer(rebasing: field[place..<place + length])
        }
    }

    private static func integer<Value: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer, _: Value.Type) -> Value {
        unsafe Value(bigEndian: bytes.loadUnaligned(as: Value.self))
    }

    private func present<Value>(_ value: Value?, _ column: Int) -> Value {
        guard let value else { preconditionFailure("column \(column) is NULL") }
        return value
    }
}
