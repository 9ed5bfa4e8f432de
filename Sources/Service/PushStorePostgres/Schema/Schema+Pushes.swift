extension Schema {
    /// Messages, cids, chunks, and events of journeys.
    static let pushes = [
        """
        CREATE TABLE message (
            id bigint PRIMARY KEY,
            app bigint NOT NULL,
            acceptedAt bigint NOT NULL,
            body bytea NOT NULL,
            environment text NOT NULL,
            timeToLive bigint NOT NULL,
            sendno bigint NOT NULL,
            cid text,
            requestID text,
            trace text,
            lane bigint NOT NULL,
            -- The ordinals of the only chunk until it is leased; null for all other messages.
            unstarted bytea,
            -- Null for a single message. Otherwise the row represents all messages from its id through this one.
            lastID bigint,
            -- The number of chunks at acceptance.
            chunkCount bigint NOT NULL,
            -- The node that accepted it.
            node bigint NOT NULL
        )
        """,
        "CREATE INDEX messageUnstarted ON message (lane, acceptedAt, id) WHERE unstarted IS NOT NULL",
        """
        CREATE TABLE batch (
            first bigint PRIMARY KEY,
            acceptedAt bigint NOT NULL,
            count bigint NOT NULL,
            kind text NOT NULL CHECK (kind IN ('registration_id', 'alias')),
            names bytea NOT NULL,
            texts bytea NOT NULL
        )
        """,
        // Since step 10 only the keys of firings.
        """
        CREATE TABLE cid (
            app bigint NOT NULL,
            cid text COLLATE "C" NOT NULL,
            message bigint NOT NULL,
            sendno bigint NOT NULL,
            usedAt bigint NOT NULL,
            PRIMARY KEY (app, cid)
        )
        """,
        """
        CREATE TABLE chunk (
            message bigint NOT NULL,
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
            sent bytea NOT NULL DEFAULT '',
            settled bytea NOT NULL DEFAULT '',
            deferred bytea NOT NULL DEFAULT '',
            problem text,
            updatedAt bigint NOT NULL,
            lane bigint NOT NULL,
            leaseOwner bigint,
            leasedUntil bigint,
            fence bigint NOT NULL DEFAULT 0,
            origin bigint,
            PRIMARY KEY (message, number)
        )
        """,
        """
        CREATE INDEX chunkWaiting ON chunk (lane, dueAt, message, number) WHERE NOT isDone AND leaseOwner IS NULL
        """,
        "CREATE INDEX chunkLeased ON chunk (lane, leaseOwner) WHERE NOT isDone AND leaseOwner IS NOT NULL",
        "CREATE INDEX chunkPaced ON chunk (app, message) WHERE NOT isDone AND isPaced",
        "CREATE INDEX chunkPlace ON chunk (message, kind, firstOrdinal, lastOrdinal) WHERE number > 0",
        """
        CREATE VIEW unstartedChunk AS
        SELECT id AS message, 0::bigint AS number, app, 'send'::text AS kind, unstarted AS ordinals,
            0::bigint AS firstOrdinal, 4294967295::bigint AS lastOrdinal, false AS isPaced, acceptedAt AS dueAt,
            false AS isDone, 0::bigint AS attempt, 0::bigint AS cursor, 0::bigint AS prepared, ''::bytea AS sent,
            ''::bytea AS settled, ''::bytea AS deferred, NULL::text AS problem, acceptedAt AS updatedAt, lane,
            NULL::bigint AS leaseOwner, NULL::bigint AS leasedUntil, 0::bigint AS fence, NULL::bigint AS origin
        FROM message WHERE unstarted IS NOT NULL
        """,
        "CREATE VIEW anyChunk AS SELECT * FROM chunk UNION ALL SELECT * FROM unstartedChunk",
        """
        CREATE TABLE journeyEvent (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            message bigint NOT NULL,
            ordinal bigint NOT NULL,
            at bigint NOT NULL,
            event text NOT NULL
        )
        """,
        // An index entry has at most 2.7 kB; events contain reasons of any length.
        "CREATE UNIQUE INDEX journeyEventOnce ON journeyEvent (message, ordinal, md5(event))",
        """
        CREATE TABLE stepEvent (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            message bigint NOT NULL,
            at bigint NOT NULL,
            event text NOT NULL,
            firstOrdinal bigint NOT NULL,
            lastOrdinal bigint NOT NULL,
            ordinals bytea NOT NULL
        )
        """,
        "CREATE INDEX stepEventOfMessage ON stepEvent (message, firstOrdinal)",
        "CREATE TABLE voipPush (message bigint PRIMARY KEY, voip bigint NOT NULL UNIQUE)",
        """
        CREATE TABLE groupPush (
            id text PRIMARY KEY,
            appGroup bigint NOT NULL,
            cid text,
            acceptedAt bigint NOT NULL,
            answer text NOT NULL
        )
        """,
        "CREATE INDEX groupPushCID ON groupPush (appGroup, cid) WHERE cid IS NOT NULL",
        "CREATE INDEX groupPushAccepted ON groupPush (acceptedAt)",
        """
        CREATE TABLE groupPushMessage (
            groupPush text NOT NULL REFERENCES groupPush ON DELETE CASCADE,
            app bigint NOT NULL,
            message bigint NOT NULL,
            PRIMARY KEY (groupPush, app)
        )
        """,
        "CREATE TABLE broadcast (app bigint, day bigint, count bigint NOT NULL, PRIMARY KEY (app, day))",
        """
        CREATE TABLE pause (
            app bigint,
            environment text,
            reason text NOT NULL,
            detail text NOT NULL,
            until bigint NOT NULL,
            PRIMARY KEY (app, environment)
        )
        """,
    ]

    /// Reports of devices, their use, and deleted messages.
    static let reports = [
        """
        CREATE TABLE chunkReport (
            message bigint NOT NULL,
            number bigint NOT NULL,
            received bytea NOT NULL,
            displayed bytea NOT NULL,
            clicked bytea NOT NULL,
            at bigint NOT NULL,
            PRIMARY KEY (message, number)
        )
        """,
        """
        CREATE TABLE deviceUse (
            app bigint NOT NULL,
            unit text COLLATE "C" NOT NULL CHECK (unit IN ('HOUR', 'DAY', 'MONTH')),
            time text COLLATE "C" NOT NULL,
            measure text NOT NULL CHECK (measure IN ('new', 'online', 'active')),
            page bigint NOT NULL,
            devices bytea NOT NULL,
            PRIMARY KEY (app, unit, time, measure, page)
        )
        """,
        """
        CREATE TABLE deviceUseCount (
            app bigint NOT NULL,
            unit text COLLATE "C" NOT NULL,
            time text COLLATE "C" NOT NULL,
            measure text NOT NULL,
            count bigint NOT NULL,
            PRIMARY KEY (app, unit, time, measure)
        )
        """,
        "CREATE INDEX deviceUseCountTime ON deviceUseCount (unit, time)",
        """
        CREATE TABLE deletedMessage (
            app bigint NOT NULL,
            page bigint NOT NULL,
            numbers bytea NOT NULL,
            days bigint NOT NULL,
            at bigint NOT NULL,
            PRIMARY KEY (app, page)
        )
        """,
        "CREATE INDEX deletedMessageAt ON deletedMessage (at)",
    ]

    static let schedules = [
        """
        CREATE TABLE schedule (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            id text NOT NULL UNIQUE,
            app bigint NOT NULL,
            name text NOT NULL,
            isEnabled boolean NOT NULL,
            trigger text NOT NULL,
            push bytea NOT NULL,
            createdAt bigint NOT NULL,
            dueAt bigint,
            endedAt bigint,
            version bigint NOT NULL
        )
        """,
        "CREATE INDEX scheduleDue ON schedule (dueAt, number) WHERE dueAt IS NOT NULL",
        "CREATE INDEX scheduleOfApp ON schedule (app, number) WHERE dueAt IS NOT NULL",
        "CREATE INDEX scheduleEnded ON schedule (endedAt) WHERE endedAt IS NOT NULL",
        "CREATE INDEX scheduleEndedOfApp ON schedule (app) WHERE endedAt IS NOT NULL",
        """
        CREATE TABLE scheduleCID (
            app bigint NOT NULL,
            cid text NOT NULL,
            schedule text NOT NULL,
            name text NOT NULL,
            usedAt bigint NOT NULL,
            PRIMARY KEY (app, cid)
        )
        """,
        "CREATE INDEX scheduleCIDUsed ON scheduleCID (usedAt)",
        // One firing for a due time, whichever node fires it.
        """
        CREATE TABLE scheduleFiring (
            schedule text NOT NULL,
            dueAt bigint NOT NULL,
            at bigint NOT NULL,
            message bigint,
            errorStatus bigint,
            errorCode bigint,
            errorText text,
            PRIMARY KEY (schedule, dueAt)
        )
        """,
    ]

    static let customMessages = [
        """
        CREATE TABLE customMessage (
            position bigint PRIMARY KEY,
            node bigint NOT NULL,
            app bigint NOT NULL,
            message bigint NOT NULL UNIQUE,
            expiresAt bigint NOT NULL,
            -- The only device of the audience; null if it has several.
            onlyOrdinal bigint
        )
        """,
        "CREATE INDEX customMessageOfDevice ON customMessage (app, onlyOrdinal, position) WHERE onlyOrdinal IS NOT NULL",
        "CREATE INDEX customMessageOfMany ON customMessage (app, position) WHERE onlyOrdinal IS NULL",
        "CREATE INDEX customMessageExpiry ON customMessage (expiresAt)",
        // The last position. Who takes one locks the row until the commit, so positions follow the order of commits.
        """
        CREATE TABLE customMessageHead (
            isOnly boolean PRIMARY KEY DEFAULT true CHECK (isOnly),
            position bigint NOT NULL
        )
        """,
        "INSERT INTO customMessageHead (position) VALUES (0)",
        "CREATE TABLE messageCursor (app bigint, ordinal bigint, position bigint NOT NULL, PRIMARY KEY (app, ordinal))",
    ]

    static let callbacks = [
        """
        -- A server that callbacks go to.
        CREATE TABLE callbackReceiver (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            -- Scheme, host and port of its addresses.
            name text NOT NULL UNIQUE,
            -- The number of deliveries that have failed since the last that did not.
            failures bigint NOT NULL DEFAULT 0,
            -- Nothing is delivered to it before.
            pausedUntil bigint NOT NULL DEFAULT 0,
            -- When events for it were last taken: the one that has waited longest is next.
            servedAt bigint NOT NULL DEFAULT 0
        )
        """,
        """
        CREATE TABLE callback (
            message bigint PRIMARY KEY,
            app bigint NOT NULL,
            -- For a VoIP push beside a notification, the message of the notification.
            origin bigint NOT NULL,
            isVoIP boolean NOT NULL,
            url text NOT NULL,
            params text NOT NULL,
            kinds bigint NOT NULL,
            delivered bigint NOT NULL DEFAULT 0,
            lost bigint NOT NULL DEFAULT 0,
            problem text,
            receiver bigint NOT NULL
        )
        """,
        "CREATE INDEX callbackOfOrigin ON callback (origin)",
        "CREATE INDEX callbackOfReceiver ON callback (receiver)",
        """
        CREATE TABLE callbackEvent (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            message bigint NOT NULL,
            kind bigint NOT NULL,
            part text NOT NULL,
            at bigint NOT NULL,
            ordinals bytea NOT NULL,
            attempts bigint NOT NULL DEFAULT 0,
            dueAt bigint NOT NULL,
            receiver bigint NOT NULL
        )
        """,
        "CREATE INDEX callbackEventOfReceiver ON callbackEvent (receiver, dueAt, message)",
        "CREATE INDEX callbackEventOfMessage ON callbackEvent (message, dueAt)",
    ]
    /// Receivers of each app, events that are counted, and the time at which a receiver is due.
    static let callbacksByApp = [
        """
        ALTER TABLE callbackReceiver DROP CONSTRAINT callbackreceiver_name_key,
            ADD COLUMN app bigint,
            -- The number of lots that have failed; `failures` are those since the last that did not.
            ADD COLUMN failed bigint NOT NULL DEFAULT 0,
            -- The last failure of `failures`.
            ADD COLUMN problem text,
            -- The time from which its events are delivered; null if none of them is counted.
            ADD COLUMN dueAt bigint
        """,
        """
        INSERT INTO callbackReceiver (app, name, failures, pausedUntil)
        SELECT DISTINCT callback.app, old.name, old.failures, old.pausedUntil
        FROM callback JOIN callbackReceiver AS old ON old.id = callback.receiver
        """,
        """
        UPDATE callback SET receiver = new.id FROM callbackReceiver AS old, callbackReceiver AS new
        WHERE old.id = callback.receiver AND new.name = old.name AND new.app = callback.app
        """,
        "DELETE FROM callbackReceiver WHERE app IS NULL",
        "ALTER TABLE callbackReceiver ALTER COLUMN app SET NOT NULL, ADD UNIQUE (app, name)",
        "DROP INDEX callbackEventOfReceiver",
        "DROP INDEX callbackEventOfMessage",
        """
        ALTER TABLE callbackEvent ALTER COLUMN dueAt DROP NOT NULL,
            -- The receiver's failures when the row was counted, which `dueAt` says, less those of the row alone.
            ADD COLUMN failedBefore bigint NOT NULL DEFAULT 0
        """,
        """
        UPDATE callbackEvent SET receiver = callback.receiver, failedBefore = -attempts FROM callback
        WHERE callback.message = callbackEvent.message
        """,
        "ALTER TABLE callbackEvent DROP COLUMN attempts",
        "CREATE INDEX callbackEventNew ON callbackEvent (number) WHERE dueAt IS NULL",
        "CREATE INDEX callbackEventOfReceiver ON callbackEvent (receiver, dueAt, number) WHERE dueAt IS NOT NULL",
        "CREATE INDEX callbackEventAge ON callbackEvent (receiver, failedBefore) WHERE dueAt IS NOT NULL",
        "CREATE INDEX callbackEventOfMessage ON callbackEvent (message)",
        """
        UPDATE callbackReceiver SET dueAt = greatest(pausedUntil, event.dueAt)
        FROM (SELECT receiver, min(dueAt) AS dueAt FROM callbackEvent GROUP BY receiver) AS event WHERE receiver = id
        """,
        "ALTER TABLE callbackReceiver DROP COLUMN pausedUntil, DROP COLUMN servedAt",
        "CREATE INDEX callbackReceiverDue ON callbackReceiver (app, dueAt) WHERE dueAt IS NOT NULL",
        // The number of counted rows of events by app.
        "CREATE TABLE callbackCount (app bigint PRIMARY KEY, waiting bigint NOT NULL)",
        """
        INSERT INTO callbackCount (app, waiting)
        SELECT app, count(*) FROM callbackEvent JOIN callbackReceiver ON id = receiver GROUP BY app
        """,
    ]
}
