import Foundation
import GRDB
import PushModel
import PushService

// The events of checkpoints and reports.
extension SQLiteStore {
    static func insert(_ events: [JourneyEntry], into database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO journeyEvent (message, ordinal, at, event) VALUES (?, ?, ?, ?)"
        )
        for exception in events {
            let event = exception.event
            try statement.execute(arguments: [
                exception.message.number, exception.ordinal, event.date.milliseconds, event.json.text,
            ])
        }
    }

    static func insert(_ events: [StepEvent], into database: Database) throws {
        let statement = try database.cachedStatement(
            sql:
                "INSERT INTO stepEvent (message, at, event, firstOrdinal, lastOrdinal, ordinals) VALUES (?, ?, ?, ?, ?, ?)"
        )
        for event in events {
            try statement.execute(arguments: [
                event.message.number, event.event.date.milliseconds, event.event.json.text, event.ordinals.first,
                event.ordinals.last, Data(OrdinalList(event.ordinals).packed),
            ])
        }
    }
}
