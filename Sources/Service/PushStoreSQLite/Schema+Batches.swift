import GRDB

extension Schema {
    /// The pushes of a request to one device each lie in two rows together, however many they are: one in message, with which
    /// they wait and are sent, and what each of them says.
    static func batches(_ database: Database) throws {
        try database.execute(
            sql: """
                -- Null for a message that is alone. Otherwise the row stands for all messages from its id through this one.
                ALTER TABLE message ADD COLUMN lastID INTEGER;

                CREATE TABLE batch (
                    first INTEGER PRIMARY KEY,
                    acceptedAt INTEGER NOT NULL,
                    -- How many pushes: there are fewer than ids if one of them repeated an earlier one.
                    count INTEGER NOT NULL,
                    -- What the targets name.
                    kind TEXT NOT NULL CHECK (kind IN ('registration_id', 'alias')),
                    -- Ids, sendnos and cids.
                    names BLOB NOT NULL,
                    -- The pushes as they were written.
                    texts BLOB NOT NULL
                );
                CREATE INDEX batchAccepted ON batch (acceptedAt);
                """
        )
    }
}
