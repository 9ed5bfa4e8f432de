package import Foundation
import GRDB
import PushService

extension SQLiteStore {
    package func bringForward(by seconds: TimeInterval, at now: Date) async throws {
        let (now, difference) = (now.milliseconds, Int64(seconds * 1000))
        try await writes.write { database in
            // A chunk stored in its message's row is due when the message was accepted.
            try database.execute(
                sql: "INSERT INTO chunk SELECT * FROM unstartedChunk WHERE dueAt > ?",
                arguments: [now]
            )
            try database.execute(
                sql: "UPDATE message SET unstarted = NULL WHERE unstarted IS NOT NULL AND acceptedAt > ?",
                arguments: [now]
            )
            try database.execute(
                sql: "UPDATE chunk SET dueAt = max(?1, dueAt - ?2) WHERE isDone = 0 AND dueAt > ?1",
                arguments: [now, difference]
            )
            try database.execute(
                sql: "UPDATE pause SET until = max(?1, until - ?2) WHERE until > ?1",
                arguments: [now, difference]
            )
        }
    }
}
