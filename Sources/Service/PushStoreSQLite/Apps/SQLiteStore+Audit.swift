package import Foundation
import GRDB
package import PushService

extension SQLiteStore {
    package func appendAudit(_ entry: AuditEntry, keepingFrom date: Date) async throws {
        try await writes.write { database in
            if try entry.isDone || !Self.gather(entry, in: database) { try Self.insert(entry, in: database) }
            guard database.lastInsertedRowID % AuditEntry.removalInterval == 0 else { return }
            try database.execute(
                sql: """
                    DELETE FROM audit WHERE at < ? AND id IN (
                        SELECT id FROM audit WHERE id <= (SELECT id FROM audit ORDER BY id DESC LIMIT 1 OFFSET ?)
                        ORDER BY id LIMIT ?
                    )
                    """,
                arguments: [date.milliseconds, AuditEntry.kept, AuditEntry.removedAtOnce]
            )
        }
    }

    /// Adds a refusal to the count of an earlier one.
    ///
    /// - Returns: false if the refusal needs an entry of its own.
    private static func gather(_ entry: AuditEntry, in database: Database) throws -> Bool {
        if try count(entry, in: database) { return true }
        let refusals = try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM audit WHERE actor = ? AND isDone = 0 AND at BETWEEN ? AND ?",
            arguments: [entry.actor.name, entry.gatheredFrom.milliseconds, entry.at.milliseconds]
        )
        guard refusals ?? 0 >= AuditEntry.refusalsListed else { return false }
        if try !count(entry.furtherRefusal, in: database) { try insert(entry.furtherRefusal, in: database) }
        return true
    }

    private static func count(_ entry: AuditEntry, in database: Database) throws -> Bool {
        let earlier = try Int64.fetchOne(
            database,
            sql: """
                SELECT id FROM audit WHERE actor = ? AND isDone = 0 AND at BETWEEN ? AND ?
                    AND action = ? AND address IS ? AND subject IS ? AND detail IS ?
                ORDER BY at DESC LIMIT 1
                """,
            arguments: [
                entry.actor.name, entry.gatheredFrom.milliseconds, entry.at.milliseconds,
                entry.action, entry.actor.address, entry.subject, entry.detail,
            ]
        )
        guard let earlier else { return false }
        try database.execute(
            sql: """
                INSERT INTO audit (at, actor, address, action, subject, detail, isDone, count, lastAt)
                SELECT at, actor, address, action, subject, detail, isDone, count + 1, ? FROM audit WHERE id = ?
                """,
            arguments: [entry.at.milliseconds, earlier]
        )
        try database.execute(sql: "DELETE FROM audit WHERE id = ?", arguments: [earlier])
        return true
    }

    private static func insert(_ entry: AuditEntry, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO audit (at, actor, address, action, subject, detail, isDone) VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                entry.at.milliseconds, entry.actor.name, entry.actor.address, entry.action, entry.subject,
                entry.detail, entry.isDone,
            ]
        )
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
        count = row["count"]
        lastAt = (row["lastAt"] as Int64?).map { Date(milliseconds: $0) }
    }
}
