import Foundation
import PostgresClient
import PushModel
import PushService
import PushStoreSQL

extension PostgresValue {
    static func app(_ app: App.ID) -> PostgresValue { .int64(Int64(app)) }
    static func message(_ id: MessageID) -> PostgresValue { .int64(id.number) }
    static func ordinal(_ ordinal: DeviceOrdinal) -> PostgresValue { .int64(Int64(ordinal)) }
    static func date(_ date: Date) -> PostgresValue { .int64(date.milliseconds) }

    /// An array of values, all of the same type.
    static func array(_ values: [SQLValue]) -> PostgresValue {
        switch values.first {
        case .bool: .bools(values.map { if case .bool(let value) = $0 { value } else { nil } })
        case .bytes: .byteArrays(values.map { if case .bytes(let value) = $0 { value } else { nil } })
        case .text: .texts(values.map { if case .text(let value) = $0 { value } else { nil } })
        case .int64, .int64s, .texts, nil: .int64s(values.map { if case .int64(let value) = $0 { value } else { nil } })
        }
    }

    /// Returns an array for each column of rows.
    static func columns(of rows: [[SQLValue]]) -> [PostgresValue] {
        rows.first.map { first in first.indices.map { column in .array(rows.map { $0[column] }) } } ?? []
    }
}

/// The statement that writes rows of a table.
struct Insertion {
    private let sql: String

    /// Creates the statement from the columns and their types.
    init(into table: String, _ columns: KeyValuePairs<String, String>) {
        let names = columns.map(\.key).joined(separator: ", ")
        let arrays = columns.enumerated().map { "$\($0 + 1)::\($1.value)[]" }.joined(separator: ", ")
        sql = "INSERT INTO \(table) (\(names)) SELECT * FROM unnest(\(arrays))"
    }

    /// Adds the statement for rows, if there are any.
    func add(_ rows: [[SQLValue]], to pipeline: StatementList) {
        if !rows.isEmpty { pipeline.add(sql, PostgresValue.columns(of: rows)) }
    }
}
