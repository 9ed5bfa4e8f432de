package import Foundation
import GRDB
import PushModel
package import PushService

extension SQLiteStore {
    package func accept(
        _ pushes: [PreparedPush],
        cidsSince: Date,
        reply: @escaping @Sendable (Result<[StoredPush], any Error>) -> Void
    ) {
        writes.write(
            bytes: pushes.indices.reduce(0) { $0 + pushes[$1].bytes },
            { [self] database in try insert(pushes, cidsSince: cidsSince, into: database) },
            reply: reply
        )
    }

    /// Stores pushes and returns their results.
    func insert(_ pushes: [PreparedPush], cidsSince: Date, into database: Database) throws -> [StoredPush] {
        guard !pushes.isEmpty else { return [] }
        let since = cidsSince.milliseconds
        var read: [Int64: [BatchNames.Name]] = [:]
        var rows = try PushRows(in: database)
        var results: [StoredPush] = []
        results.reserveCapacity(pushes.count)
        // By place: an element of this size is dear to copy.
        for place in pushes.indices {
            var stored = StoredPush()
            if pushes[place].message.batch != nil {
                stored.batched = try claimCIDs(of: pushes[place].message, since: since, &read, in: database)
                if let new = pushes[place].withoutRepeated(stored) { stored.position = try rows.insert(new) }
            } else {
                if let cid = pushes[place].message.cid {
                    stored.earlier = try claim(cid, of: pushes[place].message, since: since, &read, &rows, in: database)
                }
                if stored.earlier == nil { stored.position = try rows.insert(pushes[place]) }
            }
            results.append(stored)
        }
        return results
    }

    /// Claims the cid of a single push.
    ///
    /// - Returns: the result of an earlier push with the same cid.
    private func claim(
        _ cid: String,
        of message: Message,
        since: Int64,
        _ read: inout [Int64: [BatchNames.Name]],
        _ rows: inout PushRows,
        in database: Database
    ) throws -> PushResult? {
        if let earlier = try result(ofCID: cid, app: message.app, since: since, &read, in: database) { return earlier }
        try rows.claim(cid, for: message)
        if !FiringKey.isKey(cid) {
            let date = message.acceptedAt.milliseconds
            cids.add(cid, of: message.id.number, app: message.app, at: date, since: since)
        }
        return nil
    }

    /// Claims the cids of a batch's pushes.
    ///
    /// - Returns: the results of earlier pushes with the same cids, by place.
    private func claimCIDs(
        of message: Message,
        since: Int64,
        _ read: inout [Int64: [BatchNames.Name]],
        in database: Database
    ) throws -> [PushResult?] {
        let entries = message.batch?.entries ?? []
        var results = [PushResult?](repeating: nil, count: entries.count)
        let date = message.acceptedAt.milliseconds
        for (place, candidates) in try cids.add(entries, app: message.app, at: date, since: since, in: database) {
            let entry = entries[place]
            results[place] = try Self.result(
                of: candidates,
                withCID: entry.cid,
                app: message.app,
                since: since,
                &read,
                in: database
            )
            guard results[place] == nil else { continue }
            cids.add(entry.cid, of: entry.id.number, app: message.app, at: date, since: since)
        }
        return results
    }
}
