import PostgresClient
import PushModel
import PushService

/// The cids of the pushes in a transaction, and the keys of firings that stand in their place.
struct CIDClaims {
    private struct Key: Hashable {
        var app: App.ID
        var cid: String
    }

    private struct Claim {
        var result: PushResult
        var usedAt: Int64
        var since: Int64
    }

    /// The first push with each cid.
    private var claims: [Key: Claim] = [:]
    /// The results of those that were used before.
    private var used: [Key: PushResult] = [:]

    /// Adds the cid of a push, or those of its batch. Uses before `since`, in milliseconds since 1970, no longer count.
    mutating func add(_ message: Message, since: Int64) {
        let date = message.acceptedAt.milliseconds
        func add(_ cid: String, _ result: PushResult) {
            let key = Key(app: message.app, cid: cid)
            if claims[key] == nil { claims[key] = Claim(result: result, usedAt: date, since: since) }
        }
        for entry in message.batch?.entries ?? [] { add(entry.cid, entry.result) }
        if let cid = message.cid { add(cid, PushResult(messageID: message.id, sendno: message.sendno)) }
    }

    /// Returns the results of earlier pushes with the cids of a push: where there is none, it is stored.
    func earlier(than message: Message) -> StoredPush {
        var stored = StoredPush()
        stored.earlier = message.cid.flatMap { earlier(Key(app: message.app, cid: $0), than: message.id) }
        stored.batched =
            message.batch?.entries.map { earlier(Key(app: message.app, cid: $0.cid), than: $0.id) } ?? []
        return stored
    }

    private func earlier(_ key: Key, than message: MessageID) -> PushResult? {
        let first = used[key] ?? claims[key]?.result
        return first?.messageID == message && used[key] == nil ? nil : first
    }

    /// Writes the unused cids, and finds the results of the others.
    ///
    /// The statement waits for a transaction of another node that writes the same cid. The order of the keys prevents deadlocks.
    mutating func write(in connection: PostgresConnection) throws {
        guard !claims.isEmpty else { return }
        // Windows that begin in the same second count as one.
        let groups = Dictionary(grouping: claims) { key, claim in
            Group(isFirings: FiringKey.isKey(key.cid), window: claim.since / 1000)
        }
        for (group, claims) in groups.sorted(by: { $0.key < $1.key }) {
            let sorted = claims.sorted { ($0.key.app, $0.key.cid) < ($1.key.app, $1.key.cid) }
            let claims = sorted.map { (key: $0.key, claim: $0.value) }
            let statements = group.isFirings ? Statements.firings : .cids
            try write(claims, with: statements, since: claims.map(\.claim.since).min() ?? 0, in: connection)
        }
    }

    private mutating func write(
        _ claims: [(key: Key, claim: Claim)],
        with statements: Statements,
        since: Int64,
        in connection: PostgresConnection
    ) throws {
        let apps = PostgresValue.numbers(claims.map(\.key.app))
        let cids = PostgresValue.texts(claims.map(\.key.cid))
        let insertion: PostgresConnection.Statement = (
            statements.insertion,
            [
                apps, cids, .int64s(claims.map(\.claim.result.messageID.number)),
                .numbers(claims.map(\.claim.result.sendno)), .int64s(claims.map(\.claim.usedAt)),
                .int64(since),
            ]
        )
        let found = try connection.pipeline([CIDRotation.sharing, insertion])
        guard let written = found.last, written.count < claims.count else { return }
        for row in try connection.execute(statements.lookup, apps, cids, .int64(since)) {
            let key = Key(app: App.ID(truncatingIfNeeded: row.int64(0)), cid: row.text(1))
            let result = PushResult(
                messageID: MessageID(row.int64(2)),
                sendno: UInt32(truncatingIfNeeded: row.int64(3))
            )
            if self.claims[key]?.result.messageID != result.messageID { used[key] = result }
        }
    }
}

/// Claims that are written with one statement.
private struct Group: Hashable, Comparable {
    var isFirings: Bool
    /// When the window of the claims begins, in seconds since 1970.
    var window: Int64

    static func < (left: Group, right: Group) -> Bool {
        (left.isFirings ? 1 : 0, left.window) < (right.isFirings ? 1 : 0, right.window)
    }
}

/// The statements that write claims and find earlier ones.
private struct Statements {
    /// Writes the unused ones of $1 to $5 (app, cid, message, sendno, time), a row for each; uses before $6 do not count.
    var insertion: String
    /// Reads those of $1 and $2 (app, cid) that were used since $3, the last use last.
    var lookup: String

    /// Firings whose keys are in a table of their own.
    static let firings = Statements(
        insertion: """
            INSERT INTO cid (app, cid, message, sendno, usedAt)
            SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[])
            ON CONFLICT (app, cid) DO UPDATE
            SET message = excluded.message, sendno = excluded.sendno, usedAt = excluded.usedAt WHERE cid.usedAt < $6
            RETURNING app
            """,
        lookup: """
            SELECT cid.app, cid.cid, cid.message, cid.sendno FROM cid
            JOIN unnest($1::bigint[], $2::text[]) AS asked (app, cid) ON cid.app = asked.app AND cid.cid = asked.cid
            WHERE usedAt >= $3
            """
    )

    /// Uses of cids in both partitions. The offset has each cid looked up by index, also while
    /// the server still takes a partition for empty.
    static let cids = Statements(
        insertion: """
            INSERT INTO usedCID (slot, app, cid, message, sendno, usedAt)
            SELECT (SELECT slot FROM cidRotation), new.*
            FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) AS new (app, cid, message, sendno, usedAt)
            WHERE NOT EXISTS (
                SELECT 1 FROM usedCID AS old
                WHERE old.app = new.app AND old.cid = new.cid AND old.usedAt >= $6 OFFSET 0
            )
            ORDER BY new.app, new.cid COLLATE "C"
            ON CONFLICT (app, cid, slot) DO UPDATE
            SET message = excluded.message, sendno = excluded.sendno, usedAt = excluded.usedAt WHERE usedCID.usedAt < $6
            RETURNING app
            """,
        lookup: """
            SELECT asked.app, asked.cid, used.message, used.sendno
            FROM unnest($1::bigint[], $2::text[]) AS asked (app, cid),
                \(CIDRotation.uses(app: "asked.app", cid: "asked.cid", since: "$3")) AS used
            ORDER BY used.usedAt
            """
    )
}
