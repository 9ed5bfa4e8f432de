package import Foundation
package import PushService

extension SQLStore {
    package func appendAudit(_ entry: AuditEntry, keepingFrom date: Date) async throws {
        try await change { session in
            let gathered = entry.isDone ? nil : try session.gather(entry)
            let id = try gathered ?? session.insert(entry)
            guard id % AuditEntry.removalInterval == 0 else { return }
            try session.execute(
                """
                DELETE FROM audit WHERE at < \(date) AND id IN (
                    SELECT id FROM audit WHERE id <= (SELECT id FROM audit ORDER BY id DESC LIMIT 1 OFFSET \(AuditEntry.limit))
                    ORDER BY id LIMIT \(AuditEntry.removedAtOnce)
                )
                """
            )
        }
    }

    package func hasSignedIn(_ user: String, from network: String, since date: Date) async throws -> Bool {
        try await first(
            """
            SELECT 1 FROM audit WHERE isDone AND action = \(AuditEntry.signIn) AND subject = \(user) AND address =
                \(network) AND at >= \(date) LIMIT 1
            """
        ) { _ in true } ?? false
    }

    package func auditEntries(before id: AuditEntry.ID?, limit: Int) async throws -> [AuditEntry] {
        try await rows(
            """
            SELECT id, at, actor, address, action, subject, detail, isDone, count, lastAt FROM audit WHERE id < \(.int64(id ?? .max))
            ORDER BY id DESC LIMIT \(limit)
            """
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

extension SQLSession {
    /// Adds a refusal to the count of an earlier one.
    ///
    /// - Returns: the new id of that entry; nil if the refusal needs an entry of its own.
    fileprivate func gather(_ entry: AuditEntry) throws -> AuditEntry.ID? {
        // The refusals of an actor are counted one after the other.
        try lock(.text(entry.actor.name, space: 0x6175_6469_7400))
        if let id = try count(entry) { return id }
        let refusals = try number(
            """
            SELECT count(*) FROM audit WHERE actor = \(entry.actor.name) AND NOT isDone AND at BETWEEN
                \(entry.gatheredFrom) AND \(entry.at)
            """
        )
        guard refusals >= AuditEntry.refusalsListed else { return nil }
        return try count(entry.furtherRefusal) ?? insert(entry.furtherRefusal)
    }

    fileprivate func count(_ entry: AuditEntry) throws -> AuditEntry.ID? {
        let isSame = dialect.isSame
        let earlier = try firstNumber(
            """
            SELECT id FROM audit WHERE actor = \(entry.actor.name) AND NOT isDone AND at BETWEEN \(entry.gatheredFrom)
                AND \(entry.at) AND action = \(entry.action)
                AND address \(raw: isSame) \(entry.actor.address) AND subject \(raw: isSame) \(entry.subject) AND
                    detail \(raw: isSame) \(entry.detail)
            ORDER BY at DESC LIMIT 1
            """
        )
        guard let earlier else { return nil }
        let id = try number(
            """
            INSERT INTO audit (at, actor, address, action, subject, detail, isDone, count, lastAt)
            SELECT at, actor, address, action, subject, detail, isDone, count + 1, \(entry.at) FROM audit WHERE id = \(earlier)
            RETURNING id
            """
        )
        try queue("DELETE FROM audit WHERE id = \(earlier)")
        return id
    }

    /// - Returns: the id of the new entry.
    fileprivate func insert(_ entry: AuditEntry) throws -> AuditEntry.ID {
        try number(
            """
            INSERT INTO audit (at, actor, address, action, subject, detail, isDone)
            VALUES (\(entry.at), \(entry.actor.name), \(entry.actor.address), \(entry.action), \(entry.subject),
                \(entry.detail), \(entry.isDone)) RETURNING id
            """
        )
    }
}
