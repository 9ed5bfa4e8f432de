import Foundation
import GRDB
import PushModel
import PushService
import PushStoreSQL

/// Inserts or updates rows of devices in one transaction.
struct DeviceWriter {
    let database: Database
    let tokens: TokenIndex
    private let statement: Statement

    init(database: Database, tokens: TokenIndex) throws {
        self.database = database
        self.tokens = tokens
        // The statement is looked up once, because its text is long.
        statement = try database.cachedStatement(sql: Self.upsert)
    }

    func write(_ device: RegisteredDevice) throws {
        tokens.note(device)
        var row = StatementBinding(statement)
        for column in DeviceColumn.allCases { row.bind(device.value(column)) }
        try row.execute(in: database)
    }

    private static let upsert = """
        INSERT INTO device (\(RegisteredDevice.columns)) VALUES (\(DeviceColumn.allCases.map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT (app, ordinal) DO UPDATE SET \(DeviceColumn.assignments)
        """
}

extension RegisteredDevice {
    /// Inserts or updates the row.
    func save(to database: Database, _ tokens: TokenIndex) throws {
        try DeviceWriter(database: database, tokens: tokens).write(self)
    }
}
