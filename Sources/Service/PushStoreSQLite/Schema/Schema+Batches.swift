import GRDB

extension Schema {
    /// Adds batches: all pushes of a request are stored in two rows, one in `message`, by which they wait and are sent, and one
    /// with their contents.
    static func batches(_ database: Database) throws {
        try database.execute(
            sql: """
                -- Null for a single message. Otherwise the row represents all messages from its id through this one.
                ALTER TABLE message ADD COLUMN lastID INTEGER;

                CREATE TABLE batch (
                    first INTEGER PRIMARY KEY,
                    acceptedAt INTEGER NOT NULL,
                    -- The number of pushes: fewer than ids if one of them repeated an earlier one.
                    count INTEGER NOT NULL,
                    -- The kind of the targets.
                    kind TEXT NOT NULL CHECK (kind IN ('registration_id', 'alias')),
                    -- Ids, sendnos and cids.
                    names BLOB NOT NULL,
                    -- The pushes as the caller wrote them.
                    texts BLOB NOT NULL
                );
                CREATE INDEX batchAccepted ON batch (acceptedAt);
                """
        )
    }
}
