package import Foundation
import PostgresClient
package import PushService

extension PostgresStore {
    /// Distinguishes the advisory locks of actors, whose refusals are counted one after the other, from others.
    private static let auditLocks: Int64 = 0x6175_6469_7400

    package func appendAudit(_ entry: AuditEntry, keepingFrom date: Date) async throws {
        try await write { session in
            let connection = session.connection
            let gathered = entry.isDone ? nil : try Self.gather(entry, connection)
            let id = try gathered ?? Self.insert(entry, connection)
            guard id % AuditEntry.removalInterval == 0 else { return }
            try connection.execute(
                """
                DELETE FROM audit WHERE at < $1 AND id IN (
                    SELECT id FROM audit WHERE id <= (SELECT id FROM audit ORDER BY id DESC LIMIT 1 OFFSET $2)
                    ORDER BY id LIMIT $3
                )
                """,
                .date(date),
                .int64(AuditEntry.kept),
                .int64(AuditEntry.removedAtOnce)
            )
        }
    }

    /// Adds a refusal to the count of an earlier one.
    ///
    /// - Returns: the new id of that entry; nil if the refusal needs an entry of its own.
    private static func gather(_ entry: AuditEntry, _ connection: PostgresConnection) throws -> AuditEntry.ID? {
        try connection.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended($1, $2))",
            .text(entry.actor.name),
            .int64(auditLocks)
        )
        if let id = try count(entry, connection) { return id }
        let refusals = try connection.execute(
            "SELECT count(*) FROM audit WHERE actor = $1 AND NOT isDone AND at BETWEEN $2 AND $3",
            .text(entry.actor.name),
            .date(entry.gatheredFrom),
            .date(entry.at)
        ).first?.int64(0)
        guard refusals ?? 0 >= AuditEntry.refusalsListed else { return nil }
        return try count(entry.furtherRefusal, connection) ?? insert(entry.furtherRefusal, connection)
    }

    private static func count(_ entry: AuditEntry, _ connection: PostgresConnection) throws -> AuditEntry.ID? {
        try connection.execute(
            """
            UPDATE audit SET id = DEFAULT, count = count + 1, lastAt = $1 WHERE id = (
                SELECT id FROM audit WHERE actor = $2 AND NOT isDone AND at BETWEEN $3 AND $1 AND action = $4
                    AND address IS NOT DISTINCT FROM $5 AND subject IS NOT DISTINCT FROM $6
                    AND detail IS NOT DISTINCT FROM $7
                ORDER BY at DESC LIMIT 1
            ) RETURNING id
            """,
            .date(entry.at),
            .text(entry.actor.name),
            .date(entry.gatheredFrom),
            .text(entry.action),
            .optional(entry.actor.address),
            .optional(entry.subject),
            .optional(entry.detail)
        ).first?.int64(0)
    }

    /// - Returns: the id of the new entry.
    private static func insert(_ entry: AuditEntry, _ connection: PostgresConnection) throws -> AuditEntry.ID {
        try connection.execute(
            """
            INSERT INTO audit (at, actor, address, action, subject, detail, isDone)
            VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id
            """,
            .date(entry.at),
            .text(entry.actor.name),
            .optional(entry.actor.address),
            .text(entry.action),
            .optional(entry.subject),
            .optional(entry.detail),
            .bool(entry.isDone)
        ).first?.int64(0) ?? 0
    }

    package func auditEntries(before id: AuditEntry.ID?, limit: Int) async throws -> [AuditEntry] {
        try await readOnce { connection in
            try connection.execute(
                """
                SELECT id, at, actor, address, action, subject, detail, isDone, count, lastAt FROM audit WHERE id < $1
                ORDER BY id DESC LIMIT $2
                """,
                .int64(id ?? .max),
                .int64(Int64(limit))
            ).map { row in
                var entry = AuditEntry(
                    at: row.date(1),
                    actor: Actor(name: row.text(2), address: row.optionalText(3)),
                    action: row.text(4),
                    subject: row.optionalText(5),
                    detail: row.optionalText(6),
                    isDone: row.bool(7)
                )
                entry.id = row.int64(0)
                entry.count = Int(row.int64(8))
                entry.lastAt = row.optionalInt64(9).map { Date(milliseconds: $0) }
                return entry
            }
        }
    }
}
