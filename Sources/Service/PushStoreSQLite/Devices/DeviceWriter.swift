import Foundation
import GRDB
import PushModel
import PushService

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
        row.bind(Int64(device.id.app))
        row.bind(Int64(device.id.ordinal))
        row.bind(device.installation)
        row.bind(device.secretHash.bytes.span)
        if let token = device.token { token.withBytes { row.bind($0) } } else { row.bindNull() }
        row.bind(device.environment.rawValue)
        row.bind(device.tokenRegisteredAt.milliseconds)
        row.bind(device.alias)
        row.bind(JSONValue.strings(device.tags).text)
        row.bind(device.mobile)
        row.bind(Int64(device.badge))
        row.bind(device.system)
        row.bind(device.channel)
        row.bind(device.lastSeen.milliseconds)
        row.bind(Int64(device.version))
        row.bind(device.isStopped ? 1 : 0)
        row.bind(device.zone)
        row.bind(device.appVersion)
        row.bind(device.language)
        row.bind(device.permission?.rawValue)
        row.bind(device.tokenRefusal?.rawValue)
        try row.execute(in: database)
    }

    private static let columns = [
        "app", "ordinal", "installation", "secretHash", "token", "environment", "tokenRegisteredAt", "alias", "tags",
        "mobile", "badge", "system", "channel", "lastSeen", "version", "isStopped", "zone",
        "appVersion", "language", "permission", "tokenRefusal",
    ]

    private static let upsert = """
        INSERT INTO device (\(columns.joined(separator: ", ")))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT (app, ordinal) DO UPDATE SET \(columns.dropFirst(2).map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        """
}

extension RegisteredDevice {
    /// Inserts or updates the row.
    func save(to database: Database, _ tokens: TokenIndex) throws {
        try DeviceWriter(database: database, tokens: tokens).write(self)
    }
}
