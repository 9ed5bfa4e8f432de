import Foundation
import GRDB
package import PushModel
package import PushService

extension SQLiteStore {
    package func exceptions(of id: MessageID, limit: Int) async throws -> MessageExceptions {
        try await read { database in
            var found = MessageExceptions(events: [], isComplete: true)
            guard let row = try MessageRow.find(id, in: database) else { return found }
            let own = try Row.fetchCursor(
                database,
                sql: "SELECT ordinal, event FROM journeyEvent WHERE message = ? LIMIT ?",
                arguments: [id.number, limit + 1]
            )
            var read = 0
            while let event = try own.next() {
                read += 1
                found.events.append((try JourneyEvent(stored: event["event"]).kind, [event["ordinal"]]))
            }
            let shared = try Row.fetchCursor(
                database,
                sql: "SELECT event, ordinals FROM stepEvent WHERE message = ? LIMIT ?",
                arguments: [row.id, limit + 1]
            )
            var steps = 0
            while let event = try shared.next() {
                steps += 1
                let ordinals = OrdinalList(packed: Array(event["ordinals"] as Data)).ordinals
                found.events.append((try JourneyEvent(stored: event["event"]).kind, ordinals))
            }
            found.isComplete = read <= limit && steps <= limit
            return found
        }
    }
}
