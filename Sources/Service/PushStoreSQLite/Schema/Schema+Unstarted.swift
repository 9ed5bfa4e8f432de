import GRDB

extension Schema {
    /// Stores the only chunk of a message in the message's row until it is leased, so that accepting such a push, the usual
    /// case, writes a single row.
    static func unstarted(_ database: Database) throws {
        try database.execute(
            sql: """
                -- The ordinals of the only chunk until it is leased; null for all other messages.
                ALTER TABLE message ADD COLUMN unstarted BLOB;
                -- As in chunk.
                ALTER TABLE message ADD COLUMN lane INTEGER NOT NULL DEFAULT 0;
                CREATE INDEX messageUnstarted ON message (lane, acceptedAt) WHERE unstarted IS NOT NULL;

                -- Such chunks, in the form of rows of chunk. Only the ordinals say which devices they hold.
                CREATE VIEW unstartedChunk AS
                SELECT id AS message, 0 AS number, app, 'send' AS kind, unstarted AS ordinals, 0 AS firstOrdinal,
                    4294967295 AS lastOrdinal, 0 AS isPaced, acceptedAt AS dueAt, 0 AS isLeased, 0 AS isDone, 0 AS attempt,
                    0 AS cursor, 0 AS prepared, x'' AS sent, x'' AS settled, NULL AS problem, acceptedAt AS updatedAt, lane
                FROM message WHERE unstarted IS NOT NULL;

                CREATE VIEW anyChunk AS
                SELECT message, number, app, kind, ordinals, firstOrdinal, lastOrdinal, isPaced, dueAt, isLeased, isDone,
                    attempt, cursor, prepared, sent, settled, problem, updatedAt, lane
                FROM chunk
                UNION ALL SELECT * FROM unstartedChunk;
                """
        )
    }
}
