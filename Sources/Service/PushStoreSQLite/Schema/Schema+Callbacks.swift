import GRDB

extension Schema {
    /// "23 callbacks".
    static func callbacks(_ database: Database) throws {
        try database.execute(
            sql: """
                -- The address that is told what becomes of a message.
                CREATE TABLE callback (
                    message INTEGER PRIMARY KEY,
                    app INTEGER NOT NULL,
                    -- The push as its sender knows it: for a VoIP push beside a notification, the message of the notification.
                    origin INTEGER NOT NULL,
                    isVoIP INTEGER NOT NULL,
                    url TEXT NOT NULL,
                    params TEXT NOT NULL,
                    kinds INTEGER NOT NULL,
                    -- The numbers of events that the address has taken, and that were given up.
                    delivered INTEGER NOT NULL DEFAULT 0,
                    lost INTEGER NOT NULL DEFAULT 0,
                    problem TEXT
                ) WITHOUT ROWID;
                CREATE INDEX callbackOfOrigin ON callback (origin);

                -- Events that wait for the address, packed by devices.
                CREATE TABLE callbackEvent (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    message INTEGER NOT NULL,
                    kind INTEGER NOT NULL,
                    part TEXT NOT NULL,
                    at INTEGER NOT NULL,
                    ordinals BLOB NOT NULL,
                    attempts INTEGER NOT NULL DEFAULT 0,
                    dueAt INTEGER NOT NULL
                );
                CREATE INDEX callbackEventDue ON callbackEvent (dueAt, message);
                CREATE INDEX callbackEventOfMessage ON callbackEvent (message, dueAt);
                """
        )
    }
}
