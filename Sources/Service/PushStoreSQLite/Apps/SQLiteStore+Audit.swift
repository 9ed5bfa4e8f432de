import Foundation
import GRDB
package import PushService

extension SQLiteStore {
    /// The greatest number of entries; the oldest make room.
    static let auditLimit: Int64 = 100_000

    package func appendAudit(_ entry: AuditEntry) async throws {
        try await writes.write { database in
            try database.execute(
                sql: """
                    INSERT INTO audit (at, actor, address, action, subject, detail, isDone) VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    entry.at.milliseconds, entry.actor.name, entry.actor.address, entry.action, entry.subject,
                    entry.detail, entry.isDone,
                ]
            )
            let last = database.lastInsertedRowID
            try database.execute(sql: "DELETE FROM audit WHERE id <= ?", arguments: [last - Self.auditLimit])
        }
    }

    package func auditEntries(before id: AuditEntry.ID?, limit: Int) async throws -> [AuditEntry] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?",
                arguments: [id ?? .max, limit]
            ).map(AuditEntry.init(row:))
        }
    }
}

extension AuditEntry {
    fileprivate init(row: Row) {
        self.init(
            at: Date(milliseconds: row["at"]),
            actor: Actor(name: row["actor"], address: row["address"]),
            action: row["action"],
            subject: row["subject"],
            detail: row["detail"],
            isDone: row["isDone"]
        )
        id = row["id"]
    }
}
