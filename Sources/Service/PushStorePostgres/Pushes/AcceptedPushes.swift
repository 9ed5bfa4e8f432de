import Foundation
import PostgresClient
import PushModel
import PushService

/// Batches and pushes of one caller, to be stored together.
struct AcceptRequest: Sendable {
    var batches: [MessageBatch]
    var pushes: [PreparedPush]
    var cidsSince: Date

    /// The ids of all messages that it may store.
    var messages: [Int64] {
        batches.flatMap { $0.entries.map(\.id.number) } + pushes.map(\.message.id.number)
    }

    /// The memory that it holds while it waits, approximately in bytes.
    var bytes: Int { batches.reduce(0) { $0 + $1.bytes } + pushes.reduce(0) { $0 + $1.bytes } }

    /// Stores requests with a fixed number of statements.
    ///
    /// - Parameters:
    ///   - requests: in the order in which they came; of two pushes with the same cid the first is stored.
    ///   - node: the node that accepts them.
    ///   - session: the transaction.
    /// - Returns: the result of each request.
    /// - Throws: an error of the server.
    static func store(_ requests: [AcceptRequest], node: Int16, in session: StoreSession) throws -> [StoredPushes] {
        var cids = CIDClaims()
        for request in requests {
            let since = request.cidsSince.milliseconds
            for batch in request.batches {
                let date = batch.acceptedAt.milliseconds
                for entry in batch.entries {
                    let key = CIDClaims.Key(app: batch.app, cid: entry.cid)
                    cids.add(key, entry.result, at: date, since: since)
                }
            }
            for push in request.pushes {
                guard let cid = push.message.cid else { continue }
                let key = CIDClaims.Key(app: push.message.app, cid: cid)
                let result = PushResult(messageID: push.message.id, sendno: push.message.sendno)
                cids.add(key, result, at: push.message.acceptedAt.milliseconds, since: since)
            }
        }
        try cids.write(in: session.connection)
        var rows = PushRows(node: node)
        var results: [StoredPushes] = []
        for request in requests { results.append(add(request, cids, to: &rows)) }
        let first = try rows.write(in: session)
        return results.map { $0.numbered(from: first) }
    }

    /// - Returns: the result of the request, with places in the log instead of positions.
    private static func add(_ request: AcceptRequest, _ cids: CIDClaims, to rows: inout PushRows) -> StoredPushes {
        var stored = StoredPushes()
        for batch in request.batches {
            let earlier = batch.entries.map { entry in
                cids.earlier(CIDClaims.Key(app: batch.app, cid: entry.cid), than: entry.id)
            }
            let entries = zip(batch.entries, earlier).filter { $1 == nil }.map(\.0)
            stored.batched.append(earlier)
            stored.batchPositions.append(rows.add(batch, entries).map { Int64($0) })
        }
        for push in request.pushes {
            let message = push.message
            let earlier = message.cid.flatMap {
                cids.earlier(CIDClaims.Key(app: message.app, cid: $0), than: message.id)
            }
            stored.single.append(earlier)
            stored.singlePositions.append(earlier == nil ? rows.add(push).map { Int64($0) } : nil)
        }
        return stored
    }
}

extension StoredPushes {
    /// Returns the result with the positions in the log, of which the first of the transaction is `first`.
    fileprivate func numbered(from first: Int64) -> StoredPushes {
        var numbered = self
        numbered.batchPositions = batchPositions.map { place in place.map { $0 + first } }
        numbered.singlePositions = singlePositions.map { place in place.map { $0 + first } }
        return numbered
    }
}

/// The cids of the pushes in a transaction.
struct CIDClaims {
    struct Key: Hashable {
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

    /// - Parameters:
    ///   - key: the cid of a push.
    ///   - result: the push's result.
    ///   - date: the time of its acceptance, in milliseconds since 1970.
    ///   - since: the time before which a use no longer counts.
    mutating func add(_ key: Key, _ result: PushResult, at date: Int64, since: Int64) {
        if claims[key] == nil { claims[key] = Claim(result: result, usedAt: date, since: since) }
    }

    /// Returns the result of an earlier push with this cid; nil if there is none, so that this push is stored.
    func earlier(_ key: Key, than message: MessageID) -> PushResult? {
        let first = used[key] ?? claims[key]?.result
        return first?.messageID == message && used[key] == nil ? nil : first
    }

    /// Writes the unused cids, and finds the results of the others.
    ///
    /// The statement waits for a transaction of another node that writes the same cid. The order of the keys prevents deadlocks.
    mutating func write(in connection: PostgresConnection) throws {
        guard !claims.isEmpty else { return }
        // Windows that begin in the same second count as one.
        let groups = Dictionary(grouping: claims) { $0.value.since / 1000 }
        for (_, claims) in groups.sorted(by: { $0.key < $1.key }) {
            let sorted = claims.sorted { ($0.key.app, $0.key.cid) < ($1.key.app, $1.key.cid) }
            try write(sorted.map { ($0.key, $0.value) }, since: sorted.map(\.value.since).min() ?? 0, in: connection)
        }
    }

    private mutating func write(
        _ claims: [(key: Key, claim: Claim)],
        since: Int64,
        in connection: PostgresConnection
    ) throws {
        let apps = PostgresValue.int64s(claims.map { Int64($0.key.app) })
        let cids = PostgresValue.texts(claims.map(\.key.cid))
        let written = try connection.execute(
            """
            INSERT INTO cid (app, cid, message, sendno, usedAt)
            SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[])
            ON CONFLICT (app, cid) DO UPDATE
            SET message = excluded.message, sendno = excluded.sendno, usedAt = excluded.usedAt WHERE cid.usedAt < $6
            RETURNING app
            """,
            apps,
            cids,
            .int64s(claims.map(\.claim.result.messageID.number)),
            .int64s(claims.map { Int64($0.claim.result.sendno) }),
            .int64s(claims.map(\.claim.usedAt)),
            .int64(since)
        )
        guard written.count < claims.count else { return }
        let rows = try connection.execute(
            """
            SELECT cid.app, cid.cid, cid.message, cid.sendno FROM cid
            JOIN unnest($1::bigint[], $2::text[]) AS asked (app, cid) ON cid.app = asked.app AND cid.cid = asked.cid
            """,
            apps,
            cids
        )
        for row in rows {
            let key = Key(app: App.ID(truncatingIfNeeded: row.int64(0)), cid: row.text(1))
            let result = PushResult(
                messageID: MessageID(row.int64(2)),
                sendno: UInt32(truncatingIfNeeded: row.int64(3))
            )
            if self.claims[key]?.result.messageID != result.messageID { used[key] = result }
        }
    }
}
