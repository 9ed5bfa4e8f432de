package import Foundation
import GRDB
import PushModel
package import PushService

extension SQLiteStore {
    package func accept(
        _ batches: [MessageBatch],
        _ pushes: [PreparedPush],
        cidsSince: Date,
        reply: @escaping @Sendable (Result<StoredPushes, any Error>) -> Void
    ) {
        let bytes = batches.reduce(0) { $0 + $1.bytes } + pushes.reduce(0) { $0 + $1.bytes }
        writes.write(
            bytes: bytes,
            { [self] database in
                var kept = StoredPushes()
                for batch in batches { try insert(batch, cidsSince: cidsSince, into: database, &kept) }
                try insert(pushes, cidsSince: cidsSince, into: database, &kept)
                return kept
            },
            reply: reply
        )
    }

    /// Stores a batch and collects the results of its pushes.
    private func insert(
        _ batch: MessageBatch,
        cidsSince: Date,
        into database: Database,
        _ kept: inout StoredPushes
    ) throws {
        let (since, acceptedAt) = (cidsSince.milliseconds, batch.acceptedAt.milliseconds)
        var results = [PushResult?](repeating: nil, count: batch.entries.count)
        var entries = batch.entries
        let known = try cids.add(batch, at: acceptedAt, since: since, in: database)
        if !known.isEmpty {
            // A batch is usually repeated as a whole.
            var names: [Int64: [BatchNames.Name]] = [:]
            for (place, candidates) in known {
                let entry = batch.entries[place]
                results[place] = try Self.result(
                    of: candidates,
                    withCID: entry.cid,
                    app: batch.app,
                    since: since,
                    &names,
                    in: database
                )
                guard results[place] == nil else { continue }
                cids.add(entry.cid, of: entry.id.number, app: batch.app, at: acceptedAt, since: since)
            }
            entries = zip(batch.entries, results).filter { $1 == nil }.map(\.0)
        }
        kept.batched.append(results)
        guard let first = entries.first, let last = entries.last else { return kept.batchPositions.append(nil) }
        let ordinals = OrdinalList(entries.map(\.ordinal))
        var message = try StatementBinding(
            """
            INSERT INTO message (id, app, acceptedAt, body, environment, timeToLive, sendno, requestID, trace, lane,
                unstarted, lastID, chunkCount)
            VALUES (?, ?, ?, x'', ?, ?, 0, ?, ?, ?, ?, ?, 1)
            """,
            in: database
        )
        message.bind(first.id.number)
        message.bind(Int64(batch.app))
        message.bind(acceptedAt)
        message.bind(batch.environment.rawValue)
        message.bind(batch.timeToLive)
        RequestOrigin.bind(batch.origin, to: &message)
        message.bind(batch.lane.number)
        if batch.chunkKind == .send { message.bind(ordinals.packed.span) } else { message.bindNull() }
        message.bind(last.id.number)
        try message.execute(in: database)
        var row = try StatementBinding(
            "INSERT INTO batch (first, acceptedAt, count, kind, names, texts) VALUES (?, ?, ?, ?, ?, ?)",
            in: database
        )
        row.bind(first.id.number)
        row.bind(acceptedAt)
        row.bind(Int64(entries.count))
        row.bind(batch.kind.rawValue)
        row.bind(BatchNames.packed(entries).span)
        row.bind(BatchTexts.packed(entries).span)
        try row.execute(in: database)
        kept.batchPositions.append(try log(batch, entries, in: database))
    }

    /// Adds custom messages to their log; their chunk is never leased.
    private func log(
        _ batch: MessageBatch,
        _ entries: [MessageBatch.Entry],
        in database: Database
    ) throws -> Int64? {
        guard batch.chunkKind == .message else { return nil }
        var rows = try PushRows(in: database)
        try rows.insert(batch.chunk(of: entries), isPaced: false, lane: batch.lane)
        return try rows.log(entries[0].id, of: batch.app, until: batch.expiresAt, onlyTo: nil)
    }

    /// Stores pushes outside a batch and collects their results.
    func insert(
        _ pushes: [PreparedPush],
        cidsSince: Date,
        into database: Database,
        _ kept: inout StoredPushes
    ) throws {
        guard !pushes.isEmpty else { return }
        let since = cidsSince.milliseconds
        var read: [Int64: [BatchNames.Name]] = [:]
        var rows = try PushRows(in: database)
        kept.single.reserveCapacity(pushes.count)
        kept.singlePositions.reserveCapacity(pushes.count)
        for push in pushes {
            let message = push.message
            if let cid = message.cid {
                if let first = try result(ofCID: cid, app: message.app, since: since, &read, in: database) {
                    kept.single.append(first)
                    kept.singlePositions.append(nil)
                    continue
                }
                try rows.claim(cid, for: message)
                if !FiringKey.isKey(cid) {
                    let date = message.acceptedAt.milliseconds
                    cids.add(cid, of: message.id.number, app: message.app, at: date, since: since)
                }
            }
            kept.single.append(nil)
            kept.singlePositions.append(try rows.insert(push))
        }
    }
}
