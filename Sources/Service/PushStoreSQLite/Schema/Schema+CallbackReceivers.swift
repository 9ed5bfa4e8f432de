import GRDB
import PushModel
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
            let name = PushCallback.receiver(of: row["url"])
            try database.execute(sql: "INSERT OR IGNORE INTO callbackReceiver (name) VALUES (?)", arguments: [name])
            let message: Int64 = row["message"]
            for table in ["callback", "callbackEvent"] {
                try database.execute(
                    sql: """
                        UPDATE \(table) SET receiver = (SELECT id FROM callbackReceiver WHERE name = ?) WHERE message = ?
                        """,
                    arguments: [name, message]
                )
            }
        }
    }
    /// "25 callbacks by app": receivers of each app, events that are counted, and the time at which a receiver is due.
    static func callbacksByApp(_ database: Database) throws {
        try database.execute(
            sql: """
                -- A server that an app's callbacks go to.
                CREATE TABLE newReceiver (
                    id INTEGER PRIMARY KEY,
                    app INTEGER NOT NULL,
                    -- Scheme, host and port of its addresses.
                    name TEXT NOT NULL,
                    -- The number of lots that have failed since the last that did not, and ever.
                    failures INTEGER NOT NULL DEFAULT 0,
                    failed INTEGER NOT NULL DEFAULT 0,
                    -- The last failure of those.
                    problem TEXT,
                    -- The time from which its events are delivered; null if none of them is counted.
                    dueAt INTEGER,
                    UNIQUE (app, name)
                );
                INSERT INTO newReceiver (app, name, failures, dueAt)
                    SELECT DISTINCT callback.app, old.name, old.failures, old.pausedUntil
                    FROM callback JOIN callbackReceiver AS old ON old.id = callback.receiver;
                UPDATE callback SET receiver = coalesce((
                    SELECT new.id FROM newReceiver AS new JOIN callbackReceiver AS old ON old.name = new.name
                    WHERE old.id = callback.receiver AND new.app = callback.app
                ), 0);
                CREATE TABLE newEvent (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    message INTEGER NOT NULL,
                    kind INTEGER NOT NULL,
                    part TEXT NOT NULL,
                    at INTEGER NOT NULL,
                    ordinals BLOB NOT NULL,
                    receiver INTEGER NOT NULL,
                    -- Null until the row is counted.
                    dueAt INTEGER,
                    -- The receiver's failures when the row was counted, less those of the row alone.
                    failedBefore INTEGER NOT NULL DEFAULT 0
                );
                INSERT INTO newEvent (number, message, kind, part, at, ordinals, receiver, dueAt, failedBefore)
                    SELECT number, event.message, kind, part, at, ordinals, callback.receiver, dueAt, -attempts
                    FROM callbackEvent AS event JOIN callback ON callback.message = event.message;
                DROP TABLE callbackEvent;
                ALTER TABLE newEvent RENAME TO callbackEvent;
                DROP TABLE callbackReceiver;
                ALTER TABLE newReceiver RENAME TO callbackReceiver;
                CREATE INDEX callbackEventNew ON callbackEvent (number) WHERE dueAt IS NULL;
                CREATE INDEX callbackEventOfReceiver ON callbackEvent (receiver, dueAt, number) WHERE dueAt IS NOT NULL;
                CREATE INDEX callbackEventAge ON callbackEvent (receiver, failedBefore) WHERE dueAt IS NOT NULL;
                CREATE INDEX callbackEventOfMessage ON callbackEvent (message);
                UPDATE callbackReceiver SET dueAt = (
                    SELECT max(callbackReceiver.dueAt, min(event.dueAt)) FROM callbackEvent AS event
                    WHERE event.receiver = callbackReceiver.id
                );
                CREATE INDEX callbackReceiverDue ON callbackReceiver (app, dueAt) WHERE dueAt IS NOT NULL;
                """
        )
        try countCallbacks(database)
    }

    private static func countCallbacks(_ database: Database) throws {
        try database.execute(
            sql: """
                -- The number of counted rows of events by app.
                CREATE TABLE callbackCount (app INTEGER PRIMARY KEY, waiting INTEGER NOT NULL);
                INSERT INTO callbackCount
                    SELECT app, count(*) FROM callbackEvent JOIN callbackReceiver ON id = receiver GROUP BY app;
                """
        )
    }
}
