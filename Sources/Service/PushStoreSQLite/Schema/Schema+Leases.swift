import GRDB

extension Schema {
    /// Adds owner, fencing number and end to leases, separate chunks for devices without an outcome, and classes of waiting
    /// chunks.
    static func leases(_ database: Database) throws {
        try database.execute(
            sql: """
                DROP VIEW anyChunk;
                DROP VIEW unstartedChunk;
                DROP INDEX chunkWaiting;
                DROP INDEX messageUnstarted;

                -- Null for a chunk that no worker has leased.
                ALTER TABLE chunk ADD COLUMN leaseOwner INTEGER;
                ALTER TABLE chunk ADD COLUMN leasedUntil INTEGER;
                -- Grows with each lease.
                ALTER TABLE chunk ADD COLUMN fence INTEGER NOT NULL DEFAULT 0;
                -- In a retry, the number of the chunk that its devices came from.
                ALTER TABLE chunk ADD COLUMN origin INTEGER;
                -- The places whose devices were handed to retries.
                ALTER TABLE chunk ADD COLUMN deferred BLOB NOT NULL DEFAULT x'';
                UPDATE chunk SET leaseOwner = 1, leasedUntil = 0 WHERE isLeased = 1 AND isDone = 0;
                ALTER TABLE chunk DROP COLUMN isLeased;

                -- Four times the app's number, plus two for production, plus one for pushes to many devices.
                UPDATE chunk SET lane = lane * 2 + (isPaced OR EXISTS (
                    SELECT 1 FROM chunk AS other WHERE other.message = chunk.message AND other.kind = 'send' AND other.number > 0
                ));
                UPDATE message SET lane = lane * 2;
                CREATE INDEX chunkWaiting ON chunk (lane, dueAt, message, number)
                    WHERE isDone = 0 AND leaseOwner IS NULL;
                CREATE INDEX chunkLeased ON chunk (lane, leaseOwner) WHERE isDone = 0 AND leaseOwner IS NOT NULL;
                CREATE INDEX messageUnstarted ON message (lane, acceptedAt) WHERE unstarted IS NOT NULL;

                -- As before, with the new columns.
                CREATE VIEW unstartedChunk AS
                SELECT id AS message, 0 AS number, app, 'send' AS kind, unstarted AS ordinals, 0 AS firstOrdinal,
                    4294967295 AS lastOrdinal, 0 AS isPaced, acceptedAt AS dueAt, 0 AS isDone, 0 AS attempt,
                    0 AS cursor, 0 AS prepared, x'' AS sent, x'' AS settled, NULL AS problem, acceptedAt AS updatedAt, lane,
                    NULL AS leaseOwner, NULL AS leasedUntil, 0 AS fence, NULL AS origin, x'' AS deferred
                FROM message WHERE unstarted IS NOT NULL;

                CREATE VIEW anyChunk AS
                SELECT message, number, app, kind, ordinals, firstOrdinal, lastOrdinal, isPaced, dueAt, isDone,
                    attempt, cursor, prepared, sent, settled, problem, updatedAt, lane, leaseOwner, leasedUntil, fence, origin,
                    deferred
                FROM chunk
                UNION ALL SELECT * FROM unstartedChunk;

                -- The same event for several devices of a message, in one row; the ordinals are packed.
                CREATE TABLE stepEvent (
                    message INTEGER NOT NULL,
                    at INTEGER NOT NULL,
                    event TEXT NOT NULL,
                    firstOrdinal INTEGER NOT NULL,
                    lastOrdinal INTEGER NOT NULL,
                    ordinals BLOB NOT NULL
                );
                CREATE INDEX stepEventOfMessage ON stepEvent (message, firstOrdinal);
                """
        )
    }
}
