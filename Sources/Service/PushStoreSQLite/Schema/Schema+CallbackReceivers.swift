import GRDB
import PushService

extension Schema {
    /// "24 callback receivers".
    static func callbackReceivers(_ database: Database) throws {
        try database.execute(
            sql: """
                -- A server that callbacks go to.
                CREATE TABLE callbackReceiver (
                    id INTEGER PRIMARY KEY,
                    -- Scheme, host and port of its addresses.
                    name TEXT NOT NULL UNIQUE,
                    -- The number of deliveries that have failed since the last that did not.
                    failures INTEGER NOT NULL DEFAULT 0,
                    -- Nothing is delivered to it before.
                    pausedUntil INTEGER NOT NULL DEFAULT 0,
                    -- When events for it were last taken: the one that has waited longest is next.
                    servedAt INTEGER NOT NULL DEFAULT 0
                );
                ALTER TABLE callback ADD COLUMN receiver INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE callbackEvent ADD COLUMN receiver INTEGER NOT NULL DEFAULT 0;
                DROP INDEX callbackEventDue;
                CREATE INDEX callbackEventOfReceiver ON callbackEvent (receiver, dueAt, message);
                CREATE INDEX callbackOfReceiver ON callback (receiver);
                """
        )
        let rows = try Row.fetchAll(database, sql: "SELECT message, url FROM callback")
        for row in rows {
            let receiver = try CallbackNotes.receiver(of: row["url"], in: database)
            let message: Int64 = row["message"]
            for table in ["callback", "callbackEvent"] {
                try database.execute(
                    sql: "UPDATE \(table) SET receiver = ? WHERE message = ?",
                    arguments: [receiver, message]
                )
            }
        }
    }
}
