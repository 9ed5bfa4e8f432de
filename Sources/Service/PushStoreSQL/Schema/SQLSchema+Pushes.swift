extension SQLSchema {
    /// Messages, batches, cids, and the parts of a push.
    static let messages = """
        CREATE TABLE message (
            id bigint PRIMARY KEY,
            app bigint NOT NULL {app},
            acceptedAt bigint NOT NULL,
            body bytea NOT NULL,
            environment text NOT NULL,
            timeToLive bigint NOT NULL,
            sendno bigint NOT NULL,
            cid text,
            -- The ordinals of the only chunk until it is leased; null for all other messages.
            unstarted bytea,
            -- Four times the app's number, plus two for production, plus one for pushes to many devices.
            lane bigint NOT NULL DEFAULT 0,
            -- Null for a single message. Otherwise the row represents all messages from its id through this one.
            lastID bigint,
            -- The number of chunks at acceptance. The numbers of chunks of a kind ascend with their devices; chunks split off later have
            -- higher numbers. Null: all of them.
            chunkCount bigint,
            -- The id of the request that contained the push or the batch; null for pushes of the service itself.
            requestID text,
            -- Its context in a distributed trace, as a JSON object of strings; null if it has none.
            trace text
        );

        -- All pushes of a request are stored in two rows, one in `message`, by which they wait and are sent, and this one.
        CREATE TABLE batch (
            first bigint PRIMARY KEY,
            acceptedAt bigint NOT NULL,
            -- The number of pushes: fewer than ids if one of them repeated an earlier one.
            count bigint NOT NULL,
            -- The kind of the targets.
            kind text NOT NULL CHECK (kind IN ('registration_id', 'alias')),
            -- Ids, sendnos and cids.
            names bytea NOT NULL,
            -- The pushes as the caller wrote them.
            texts bytea NOT NULL
        );

        CREATE TABLE cid (
            app bigint NOT NULL {app},
            cid text COLLATE "C" NOT NULL,
            message bigint NOT NULL,
            sendno bigint NOT NULL,
            usedAt bigint NOT NULL,
            PRIMARY KEY (app, cid)
        ) {keyed};

        -- The message that is a push's VoIP push: the push itself if it has nothing else for APNs.
        CREATE TABLE voipPush (message bigint PRIMARY KEY, voip bigint NOT NULL UNIQUE);
        """

    /// Chunks, and the events that several devices of one share.
    static let chunks = """
        CREATE TABLE chunk (
            message bigint NOT NULL {message},
            number bigint NOT NULL,
            app bigint NOT NULL,
            kind text NOT NULL,
            ordinals bytea NOT NULL,
            firstOrdinal bigint NOT NULL,
            lastOrdinal bigint NOT NULL,
            isPaced boolean NOT NULL,
            dueAt bigint NOT NULL,
            isDone boolean NOT NULL,
            attempt bigint NOT NULL DEFAULT 0,
            cursor bigint NOT NULL DEFAULT 0,
            prepared bigint NOT NULL DEFAULT 0,
            sent bytea NOT NULL DEFAULT {empty},
            settled bytea NOT NULL DEFAULT {empty},
            problem text,
            updatedAt bigint NOT NULL,
            -- As in message.
            lane bigint NOT NULL DEFAULT 0,
            -- Null for a chunk that no worker has leased.
            leaseOwner bigint,
            leasedUntil bigint,
            -- Grows with each lease.
            fence bigint NOT NULL DEFAULT 0,
            -- In a retry, the number of the chunk that its devices came from.
            origin bigint,
            -- The places whose devices were handed to retries.
            deferred bytea NOT NULL DEFAULT {empty},
            PRIMARY KEY (message, number)
        ) {keyed};
        CREATE INDEX chunkWaiting ON chunk (lane, dueAt, message, number) WHERE NOT isDone AND leaseOwner IS NULL;
        CREATE INDEX chunkLeased ON chunk (lane, leaseOwner) WHERE NOT isDone AND leaseOwner IS NOT NULL;
        CREATE INDEX chunkPaced ON chunk (app, message) WHERE NOT isDone AND isPaced;
        -- The first chunk is found by its number; most messages have only this one.
        CREATE INDEX chunkPlace ON chunk (message, kind, firstOrdinal, lastOrdinal) WHERE number > 0;

        -- The chunks that are stored in their messages' rows. Only the ordinals say which devices they hold.
        CREATE VIEW unstartedChunk AS
        SELECT id AS message, 0 AS number, app, 'send' AS kind, unstarted AS ordinals, 0 AS firstOrdinal,
            4294967295 AS lastOrdinal, false AS isPaced, acceptedAt AS dueAt, false AS isDone, 0 AS attempt, 0 AS cursor,
            0 AS prepared, {empty} AS sent, {empty} AS settled, NULL AS problem, acceptedAt AS updatedAt, lane,
            {null} AS leaseOwner, {null} AS leasedUntil, 0 AS fence, {null} AS origin, {empty} AS deferred
        FROM message WHERE unstarted IS NOT NULL;

        CREATE VIEW anyChunk AS SELECT * FROM chunk UNION ALL SELECT * FROM unstartedChunk;

        -- The same event for several devices of a message, in one row; the ordinals are packed.
        CREATE TABLE stepEvent (
            number {number},
            message bigint NOT NULL,
            at bigint NOT NULL,
            event text NOT NULL,
            firstOrdinal bigint NOT NULL,
            lastOrdinal bigint NOT NULL,
            ordinals bytea NOT NULL
        );
        CREATE INDEX stepEventOfMessage ON stepEvent (message, firstOrdinal);

        -- Events other than plain success, and reports of the gateway and of devices.
        CREATE TABLE journeyEvent (
            number {number},
            message bigint NOT NULL,
            ordinal bigint NOT NULL,
            at bigint NOT NULL,
            event text NOT NULL
        );
        """

    /// Reports of devices, their use, and deleted messages.
    static let reports = """
        -- One bit for each device that has reported, at its place in the chunk.
        CREATE TABLE chunkReport (
            message bigint NOT NULL,
            number bigint NOT NULL,
            received bytea NOT NULL,
            displayed bytea NOT NULL,
            clicked bytea NOT NULL,
            at bigint NOT NULL,
            PRIMARY KEY (message, number)
        ) {keyed};

        -- The devices in use in a period that has not ended: one bit per device, 4096 per row.
        CREATE TABLE deviceUse (
            app bigint NOT NULL {app},
            unit text COLLATE "C" NOT NULL CHECK (unit IN ('HOUR', 'DAY', 'MONTH')),
            time text COLLATE "C" NOT NULL,
            measure text NOT NULL CHECK (measure IN ('new', 'online', 'active')),
            page bigint NOT NULL,
            devices bytea NOT NULL,
            PRIMARY KEY (app, unit, time, measure, page)
        ) {keyed};

        -- The number of devices in use in a period that has ended.
        CREATE TABLE deviceUseCount (
            app bigint NOT NULL {app},
            unit text COLLATE "C" NOT NULL,
            time text COLLATE "C" NOT NULL,
            measure text NOT NULL,
            count bigint NOT NULL,
            PRIMARY KEY (app, unit, time, measure)
        ) {keyed};
        CREATE INDEX deviceUseCountTime ON deviceUseCount (unit, time);

        -- Deleted messages, 4096 ids per row, as packed differences.
        CREATE TABLE deletedMessage (
            app bigint NOT NULL {app},
            page bigint NOT NULL,
            numbers bytea NOT NULL,
            days bigint NOT NULL,
            at bigint NOT NULL,
            PRIMARY KEY (app, page)
        ) {keyed};
        CREATE INDEX deletedMessageAt ON deletedMessage (at);
        """

    /// Callbacks, the servers that they go to, and the events that wait for them.
    static let callbacks = """
        -- A server that an app's callbacks go to.
        CREATE TABLE callbackReceiver (
            id {number},
            app bigint NOT NULL,
            -- Scheme, host and port of its addresses.
            name text NOT NULL,
            -- The number of lots that have failed since the last that did not, and ever.
            failures bigint NOT NULL DEFAULT 0,
            failed bigint NOT NULL DEFAULT 0,
            -- The last failure of those.
            problem text,
            -- The time from which its events are delivered; null if none of them is counted.
            dueAt bigint,
            UNIQUE (app, name)
        );
        CREATE INDEX callbackReceiverDue ON callbackReceiver (app, dueAt) WHERE dueAt IS NOT NULL;

        -- The address that is told what becomes of a message.
        CREATE TABLE callback (
            message bigint PRIMARY KEY,
            app bigint NOT NULL,
            -- The push as its sender knows it: for a VoIP push beside a notification, the message of the notification.
            origin bigint NOT NULL,
            isVoIP boolean NOT NULL,
            url text NOT NULL,
            params text NOT NULL,
            kinds bigint NOT NULL,
            -- The numbers of events that the address has taken, and that were given up.
            delivered bigint NOT NULL DEFAULT 0,
            lost bigint NOT NULL DEFAULT 0,
            problem text,
            receiver bigint NOT NULL
        );
        CREATE INDEX callbackOfOrigin ON callback (origin);
        CREATE INDEX callbackOfReceiver ON callback (receiver);

        -- Events that wait for the address, packed by devices.
        CREATE TABLE callbackEvent (
            number {sequence},
            message bigint NOT NULL,
            kind bigint NOT NULL,
            part text NOT NULL,
            at bigint NOT NULL,
            ordinals bytea NOT NULL,
            receiver bigint NOT NULL,
            -- Null until the row is counted.
            dueAt bigint,
            -- The receiver's failures when the row was counted, less those of the row alone.
            failedBefore bigint NOT NULL DEFAULT 0
        );
        CREATE INDEX callbackEventNew ON callbackEvent (number) WHERE dueAt IS NULL;
        CREATE INDEX callbackEventOfReceiver ON callbackEvent (receiver, dueAt, number) WHERE dueAt IS NOT NULL;
        CREATE INDEX callbackEventAge ON callbackEvent (receiver, failedBefore) WHERE dueAt IS NOT NULL;
        CREATE INDEX callbackEventOfMessage ON callbackEvent (message);

        -- The number of counted rows of events by app.
        CREATE TABLE callbackCount (app bigint PRIMARY KEY, waiting bigint NOT NULL);
        """
}
