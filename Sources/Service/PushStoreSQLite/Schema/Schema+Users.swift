import GRDB

extension Schema {
    /// "19 users and audit log".
    static func users(_ database: Database) throws {
        try database.execute(
            sql: """
                -- The users of the portal.
                CREATE TABLE user (
                    name TEXT NOT NULL PRIMARY KEY,
                    -- 'viewer', 'sender' or 'admin'.
                    role TEXT NOT NULL,
                    -- The scrypt hash with its salt and cost.
                    password TEXT NOT NULL,
                    createdAt INTEGER NOT NULL
                ) WITHOUT ROWID;
                -- The changes that people made or tried to make.
                CREATE TABLE audit (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    at INTEGER NOT NULL,
                    actor TEXT NOT NULL,
                    address TEXT,
                    action TEXT NOT NULL,
                    subject TEXT,
                    detail TEXT,
                    isDone INTEGER NOT NULL
                );
                """
        )
    }

    /// "26 audit counts".
    static func auditCounts(_ database: Database) throws {
        try database.execute(
            sql: """
                -- The number of equal refusals, and the time of the last of several.
                ALTER TABLE audit ADD COLUMN count INTEGER NOT NULL DEFAULT 1;
                ALTER TABLE audit ADD COLUMN lastAt INTEGER;
                CREATE INDEX auditRefusal ON audit (actor, at) WHERE isDone = 0;
                """
        )
    }
}
