import GRDB

extension Schema {
    /// "14 everything by index": replaces full table scans.
    static func paths(_ database: Database) throws {
        try database.execute(
            sql: """
                -- The number of chunks at acceptance. The numbers of chunks of a kind ascend with their devices; chunks
                -- split off later have higher numbers. Null before this migration: all of them.
                ALTER TABLE message ADD COLUMN chunkCount INTEGER;
                -- The first chunk is found by its number; most messages have only this one.
                CREATE INDEX chunkPlace ON chunk (message, kind, firstOrdinal, lastOrdinal) WHERE number > 0;

                -- The date of the last firing; null while another is to come.
                ALTER TABLE schedule ADD COLUMN endedAt INTEGER;
                UPDATE schedule SET endedAt = max(createdAt, coalesce(
                    (SELECT max(at) FROM scheduleFiring WHERE schedule = schedule.id), createdAt)) WHERE dueAt IS NULL;
                CREATE INDEX scheduleEnded ON schedule (endedAt) WHERE endedAt IS NOT NULL;
                CREATE INDEX scheduleEndedOfApp ON schedule (app) WHERE endedAt IS NOT NULL;
                CREATE INDEX scheduleCIDUsed ON scheduleCID (usedAt);

                CREATE INDEX groupPushAccepted ON groupPush (acceptedAt);
                CREATE INDEX audienceFileExpiry ON audienceFile (expiresAt);
                CREATE INDEX deletedMessageAt ON deletedMessage (at);
                CREATE INDEX deviceUseCountTime ON deviceUseCount (unit, time);
                CREATE INDEX appDeleted ON app (id) WHERE deletedAt IS NOT NULL AND isEmptied = 0;
                """
        )
    }
}
