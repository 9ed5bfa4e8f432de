import GRDB

extension Schema {
    /// "11 the SDK link".
    static func link(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE device ADD COLUMN isStopped INTEGER NOT NULL DEFAULT 0;

                -- A device's tokens for APNs channels other than notifications.
                CREATE TABLE channelToken (
                    app INTEGER NOT NULL REFERENCES app ON DELETE CASCADE,
                    ordinal INTEGER NOT NULL,
                    channel TEXT NOT NULL CHECK (channel IN ('voip', 'activity', 'activityStart')),
                    -- The id of the Live Activity, or its attributes type; empty for VoIP.
                    name TEXT NOT NULL,
                    token BLOB NOT NULL,
                    environment TEXT NOT NULL CHECK (environment IN ('development', 'production')),
                    at INTEGER NOT NULL,
                    PRIMARY KEY (app, ordinal, channel, name)
                ) WITHOUT ROWID;

                -- Custom messages that may still wait for devices, in the order of delivery. The audience is in the
                -- message's chunks of kind 'message'.
                CREATE TABLE customMessage (
                    position INTEGER PRIMARY KEY AUTOINCREMENT,
                    app INTEGER NOT NULL REFERENCES app ON DELETE CASCADE,
                    message INTEGER NOT NULL UNIQUE,
                    expiresAt INTEGER NOT NULL,
                    -- The only device of the audience; null if it has several.
                    onlyOrdinal INTEGER
                );
                CREATE INDEX customMessageOfDevice ON customMessage (app, onlyOrdinal, position)
                    WHERE onlyOrdinal IS NOT NULL;
                CREATE INDEX customMessageOfMany ON customMessage (app, position) WHERE onlyOrdinal IS NULL;
                CREATE INDEX customMessageExpiry ON customMessage (expiresAt);

                -- The position up to which a device has received its custom messages.
                CREATE TABLE messageCursor (
                    app INTEGER NOT NULL REFERENCES app ON DELETE CASCADE,
                    ordinal INTEGER NOT NULL,
                    position INTEGER NOT NULL,
                    PRIMARY KEY (app, ordinal)
                ) WITHOUT ROWID;

                CREATE TRIGGER linkStateGone AFTER DELETE ON device
                BEGIN
                    DELETE FROM channelToken WHERE app = OLD.app AND ordinal = OLD.ordinal;
                    DELETE FROM messageCursor WHERE app = OLD.app AND ordinal = OLD.ordinal;
                END;
                """
        )
    }
}
