import Foundation
import GRDB
import PushModel
import PushService

extension Device {
    /// Writes the row, new or not.
    func save(to database: Database, _ tokens: TokenIndex) throws {
        tokens.note(self)
        var row = try StatementBinding(Self.upsert, in: database)
        row.bind(Int64(id.app))
        row.bind(Int64(id.ordinal))
        row.bind(installation)
        row.bind(secretHash.bytes.span)
        if let token { token.withBytes { row.bind($0) } } else { row.bindNull() }
        row.bind(environment.rawValue)
        row.bind(tokenRegisteredAt.milliseconds)
        row.bind(alias)
        row.bind(JSONValue.array(tags.map { .string($0) }).text)
        row.bind(mobile)
        row.bind(Int64(badge))
        row.bind(system)
        row.bind(channel)
        row.bind(lastSeen.milliseconds)
        row.bind(Int64(version))
        try row.execute(in: database)
    }

    private static let columns = [
        "app", "ordinal", "installation", "secretHash", "token", "environment", "tokenRegisteredAt", "alias", "tags",
        "mobile", "badge", "system", "channel", "lastSeen", "version",
    ]

    private static let upsert = """
        INSERT INTO device (\(columns.joined(separator: ", ")))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT (app, ordinal) DO UPDATE SET \(columns.dropFirst(2).map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        """
}
