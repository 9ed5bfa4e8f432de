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

    /// Stores requests, in the order in which they came, with a fixed number of statements, the last of which may be queued
    /// until the commit, and returns the result of each. Of two pushes with the same cid the first is stored.
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
