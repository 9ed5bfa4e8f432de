package import Foundation
import GRDB
import PushModel
package import PushService

extension SQLiteStore {
    package func createFile(_ file: AudienceFile, _ content: [UInt8], limit: Int) async throws -> Bool {
        try await writes.write { database in
            try database.execute(
                sql: "DELETE FROM audienceFile WHERE owner = ? AND expiresAt <= ?",
                arguments: [file.owner, file.createdAt.milliseconds]
            )
            let count = try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM audienceFile WHERE owner = ?",
                arguments: [file.owner]
            )
            guard count ?? 0 < limit else { return false }
            try database.execute(
                sql: """
                    INSERT INTO audienceFile (id, owner, kind, name, content, createdAt, tellsExpiry, expiresAt)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    file.id, file.owner, file.kind.rawValue, file.name, Data(content), file.createdAt.milliseconds,
                    file.tellsExpiry, file.expiresAt.milliseconds,
                ]
            )
            return true
        }
    }

    /// The columns of a file without its content.
    private static let columns = "id, owner, kind, name, createdAt, tellsExpiry, expiresAt"

    package func files(of owner: String, at now: Date) async throws -> [AudienceFile] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT \(Self.columns) FROM audienceFile WHERE owner = ? AND expiresAt > ?
                    ORDER BY createdAt, rowid
                    """,
                arguments: [owner, now.milliseconds]
            ).map(AudienceFile.init(row:))
        }
    }

    package func file(_ id: String, of owners: [String], at now: Date) async throws -> AudienceFile? {
        let file = try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT \(Self.columns) FROM audienceFile WHERE id = ? AND expiresAt > ?",
                arguments: [id, now.milliseconds]
            ).map(AudienceFile.init(row:))
        }
        return file.flatMap { owners.contains($0.owner) ? $0 : nil }
    }

    package func content(ofFile id: String) async throws -> [UInt8]? {
        try await read { database in
            try Data.fetchOne(database, sql: "SELECT content FROM audienceFile WHERE id = ?", arguments: [id]).map {
                Array($0)
            }
        }
    }

    package func deleteFile(_ id: String, of owner: String, at now: Date) async throws -> Bool {
        try await writes.write { database in
            try database.execute(
                sql: "DELETE FROM audienceFile WHERE id = ? AND owner = ? AND expiresAt > ?",
                arguments: [id, owner, now.milliseconds]
            )
            return database.changesCount > 0
        }
    }

    package func countBroadcast(of app: App.ID, day: Int, limit: Int) async throws -> Bool {
        try await writes.write { database in
            try database.execute(sql: "DELETE FROM broadcast WHERE app = ? AND day < ?", arguments: [app, day])
            try database.execute(
                sql: """
                    INSERT INTO broadcast (app, day, count) VALUES (?, ?, 1)
                    ON CONFLICT DO UPDATE SET count = count + 1 WHERE count < ?
                    """,
                arguments: [app, day, limit]
            )
            return database.changesCount > 0
        }
    }

    package func returnBroadcast(of app: App.ID, day: Int) async throws {
        try await writes.write { database in
            try database.execute(
                sql: "UPDATE broadcast SET count = count - 1 WHERE app = ? AND day = ? AND count > 0",
                arguments: [app, day]
            )
        }
    }
}

extension AudienceFile {
    fileprivate init(row: Row) throws {
        let kind: String = row["kind"]
        guard let targetKind = TargetKind(rawValue: kind) else {
            throw CorruptRow(table: "audienceFile", column: "kind", found: kind)
        }
        self.init(
            id: row["id"],
            owner: row["owner"],
            kind: targetKind,
            name: row["name"],
            createdAt: Date(milliseconds: row["createdAt"]),
            expiresAt: Date(milliseconds: row["expiresAt"]),
            tellsExpiry: row["tellsExpiry"]
        )
    }
}
