package import Foundation
package import PushService

extension SQLStore {
    package func appendAudit(_ entry: AuditEntry, keepingFrom date: Date) async throws {
        try await change { session -> Void in
            let gathered = entry.isDone ? nil : try Self.gather(entry, session)
            let id = try gathered ?? Self.insert(entry, session)
            guard id % AuditEntry.removalInterval == 0 else { return }
            try session.execute(
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
    private static func gather(_ entry: AuditEntry, _ session: any SQLSession) throws -> AuditEntry.ID? {
        // The refusals of an actor are counted one after the other.
        try session.lock(.text(entry.actor.name, space: 0x6175_6469_7400))
        if let id = try count(entry, session) { return id }
        let refusals = try session.number(
            "SELECT count(*) FROM audit WHERE actor = $1 AND NOT isDone AND at BETWEEN $2 AND $3",
            .text(entry.actor.name),
            .date(entry.gatheredFrom),
            .date(entry.at)
        )
        guard refusals >= AuditEntry.refusalsListed else { return nil }
        return try count(entry.furtherRefusal, session) ?? insert(entry.furtherRefusal, session)
    }

    private static func count(_ entry: AuditEntry, _ session: any SQLSession) throws -> AuditEntry.ID? {
        let isSame = session.dialect.isSame
        let earlier = try session.first(
            """
            SELECT id FROM audit WHERE actor = $1 AND NOT isDone AND at BETWEEN $2 AND $3 AND action = $4
                AND address \(isSame) $5 AND subject \(isSame) $6 AND detail \(isSame) $7
            ORDER BY at DESC LIMIT 1
            """,
            .text(entry.actor.name),
            .date(entry.gatheredFrom),
            .date(entry.at),
            .text(entry.action),
            .text(entry.actor.address),
            .text(entry.subject),
            .text(entry.detail)
        ) { $0.int64(0) }
        guard let earlier else { return nil }
        let id = try session.number(
            """
            INSERT INTO audit (at, actor, address, action, subject, detail, isDone, count, lastAt)
            SELECT at, actor, address, action, subject, detail, isDone, count + 1, $1 FROM audit WHERE id = $2
            RETURNING id
            """,
            .date(entry.at),
            .int64(earlier)
        )
        try session.queue("DELETE FROM audit WHERE id = $1", .int64(earlier))
        return id
    }

    /// - Returns: the id of the new entry.
    private static func insert(_ entry: AuditEntry, _ session: any SQLSession) throws -> AuditEntry.ID {
        try session.number(
            """
            INSERT INTO audit (at, actor, address, action, subject, detail, isDone)
            VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id
            """,
            .date(entry.at),
            .text(entry.actor.name),
            .text(entry.actor.address),
            .text(entry.action),
            .text(entry.subject),
            .text(entry.detail),
            .bool(entry.isDone)
        )
    }

    package func auditEntries(before id: AuditEntry.ID?, limit: Int) async throws -> [AuditEntry] {
        try await queryOnce { session in
            try session.rows(
                """
                SELECT id, at, actor, address, action, subject, detail, isDone, count, lastAt FROM audit WHERE id < $1
                ORDER BY id DESC LIMIT $2
                """,
                .int64(id ?? .max),
                .int(limit)
            ) { row in
                var entry = AuditEntry(
                    at: row.date(1),
                    actor: Actor(name: row.text(2), address: row.optionalText(3)),
                    action: row.text(4),
                    subject: row.optionalText(5),
                    detail: row.optionalText(6),
                    isDone: row.bool(7)
                )
                entry.id = row.int64(0)
                entry.count = row.int(8)
                entry.lastAt = row.optionalDate(9)
                return entry
            }
        }
    }
}
