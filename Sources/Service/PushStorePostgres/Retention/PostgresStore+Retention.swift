package import Foundation
import PostgresClient
package import PushModel
import PushService
import PushStoreSQL

extension PostgresStore {
    package func rotateCIDs(usedBefore date: Date) async throws {
        let now = date.addingTimeInterval(TimeInterval(JPushLimits.cidLifetime))
        try await CIDRotation.turn(usedBefore: date.milliseconds, at: now.milliseconds, in: self)
    }
}

extension StoreSession {
    /// Deletes the cids of a batch's pushes: they end with the batch.
    package func forgetCIDs(ofBatch id: MessageID) throws {
        let rows = try connection.execute(
            "SELECT app, names FROM message JOIN batch ON first = id WHERE id = $1",
            .message(id)
        )
        // Those of a damaged batch are deleted when their window is over.
        guard let row = rows.first, let names = try? BatchNames(packed: row.bytes(1)).names else { return }
        try connection.execute(
            """
            DELETE FROM usedCID USING unnest($2::text[], $3::bigint[]) AS old (cid, message)
            WHERE usedCID.app = $1 AND usedCID.cid = old.cid AND usedCID.message = old.message
            """,
            .int64(row.int64(0)),
            .texts(names.map(\.cid)),
            .int64s(names.map(\.id.number))
        )
    }
}
