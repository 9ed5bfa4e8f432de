import GRDB

/// The database schema.
///
/// A released migration never changes, and uses SQL, not our types.
///
/// Dates are milliseconds since 1970.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 the road") { database in
            try database.execute(
                sql: """
                    CREATE TABLE setting (key TEXT PRIMARY KEY NOT NULL, value BLOB NOT NULL) WITHOUT ROWID;

                    CREATE TABLE app (
                        id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 65535),
                        key TEXT NOT NULL UNIQUE,
                        secretHash BLOB NOT NULL,
                        name TEXT NOT NULL,
                        bundleID TEXT NOT NULL,
                        environment TEXT NOT NULL CHECK (environment IN ('development', 'production')),
                        createdAt INTEGER NOT NULL
                    );

                    CREATE TABLE credential (
                        app INTEGER PRIMARY KEY REFERENCES app,
                        keyID TEXT NOT NULL,
                        teamID TEXT NOT NULL,
                        sealedPrivateKey BLOB NOT NULL
                    );

                    CREATE TABLE pause (
                        app INTEGER NOT NULL REFERENCES app,
                        environment TEXT NOT NULL,
                        reason TEXT NOT NULL,
                        detail TEXT NOT NULL,
                        until INTEGER NOT NULL,
                        PRIMARY KEY (app, environment)
                    ) WITHOUT ROWID;

                    -- One row per device; tags are a JSON array in it, not rows of their own.
                    CREATE TABLE device (
                        app INTEGER NOT NULL REFERENCES app,
                        ordinal INTEGER NOT NULL,
                        installation TEXT NOT NULL,
                        secretHash BLOB NOT NULL,
                        token BLOB,
                        environment TEXT NOT NULL CHECK (environment IN ('development', 'production')),
                        tokenRegisteredAt INTEGER NOT NULL,
                        alias TEXT,
                        tags TEXT NOT NULL,
                        badge INTEGER NOT NULL,
                        system TEXT NOT NULL,
                        channel TEXT,
                        lastSeen INTEGER NOT NULL,
                        version INTEGER NOT NULL,
                        PRIMARY KEY (app, ordinal)
                    ) WITHOUT ROWID;
                    CREATE UNIQUE INDEX deviceInstallation ON device (app, installation);
                    CREATE INDEX deviceToken ON device (app, token) WHERE token IS NOT NULL;

                    CREATE TABLE message (
                        id INTEGER PRIMARY KEY,
                        app INTEGER NOT NULL REFERENCES app,
                        acceptedAt INTEGER NOT NULL,
                        body BLOB NOT NULL,
                        environment TEXT NOT NULL,
                        timeToLive INTEGER NOT NULL,
                        sendno INTEGER NOT NULL,
                        cid TEXT
                    );

                    CREATE TABLE cid (
                        app INTEGER NOT NULL REFERENCES app,
                        cid TEXT NOT NULL,
                        message INTEGER NOT NULL,
                        sendno INTEGER NOT NULL,
                        usedAt INTEGER NOT NULL,
                        PRIMARY KEY (app, cid)
                    ) WITHOUT ROWID;

                    CREATE TABLE chunk (
                        message INTEGER NOT NULL REFERENCES message,
                        number INTEGER NOT NULL,
                        app INTEGER NOT NULL,
                        kind TEXT NOT NULL,
                        ordinals BLOB NOT NULL,
                        firstOrdinal INTEGER NOT NULL,
                        lastOrdinal INTEGER NOT NULL,
                        isPaced INTEGER NOT NULL,
                        dueAt INTEGER NOT NULL,
                        isLeased INTEGER NOT NULL DEFAULT 0,
                        isDone INTEGER NOT NULL,
                        attempt INTEGER NOT NULL DEFAULT 0,
                        cursor INTEGER NOT NULL DEFAULT 0,
                        prepared INTEGER NOT NULL DEFAULT 0,
                        sent BLOB NOT NULL DEFAULT x'',
                        settled BLOB NOT NULL DEFAULT x'',
                        problem TEXT,
                        updatedAt INTEGER NOT NULL,
                        PRIMARY KEY (message, number)
                    ) WITHOUT ROWID;
                    CREATE INDEX chunkDue ON chunk (dueAt) WHERE isDone = 0;

                    -- Events other than plain success, and reports of the gateway and of devices.
                    CREATE TABLE journeyEvent (
                        message INTEGER NOT NULL,
                        ordinal INTEGER NOT NULL,
                        at INTEGER NOT NULL,
                        event TEXT NOT NULL,
                        UNIQUE (message, ordinal, event)
                    );
                    """
            )
        }
        migrator.registerMigration("2 devices, tags and aliases") { database in
            try database.execute(
                sql: """
                    ALTER TABLE device ADD COLUMN mobile TEXT;

                    -- Tags created through the REST API and not deleted; they exist even while no device has them.
                    CREATE TABLE tag (
                        app INTEGER NOT NULL REFERENCES app,
                        name TEXT NOT NULL,
                        PRIMARY KEY (app, name)
                    ) WITHOUT ROWID;
                    """
            )
        }
        migrator.registerMigration("3 schedules") { database in
            try database.execute(
                sql: """
                    CREATE TABLE schedule (
                        number INTEGER PRIMARY KEY AUTOINCREMENT,
                        id TEXT NOT NULL UNIQUE,
                        app INTEGER NOT NULL REFERENCES app,
                        name TEXT NOT NULL,
                        isEnabled INTEGER NOT NULL,
                        trigger TEXT NOT NULL,
                        push BLOB NOT NULL,
                        createdAt INTEGER NOT NULL,
                        -- Null if no firing is to come.
                        dueAt INTEGER,
                        version INTEGER NOT NULL
                    );
                    CREATE INDEX scheduleDue ON schedule (dueAt) WHERE dueAt IS NOT NULL;
                    CREATE INDEX scheduleOfApp ON schedule (app, number) WHERE dueAt IS NOT NULL;

                    -- Kept when its schedule is deleted, so that a late repeat does not create it again.
                    CREATE TABLE scheduleCID (
                        app INTEGER NOT NULL REFERENCES app,
                        cid TEXT NOT NULL,
                        schedule TEXT NOT NULL,
                        name TEXT NOT NULL,
                        usedAt INTEGER NOT NULL,
                        PRIMARY KEY (app, cid)
                    ) WITHOUT ROWID;

                    CREATE TABLE scheduleFiring (
                        schedule TEXT NOT NULL,
                        dueAt INTEGER NOT NULL,
                        at INTEGER NOT NULL,
                        message INTEGER,
                        errorStatus INTEGER,
                        errorCode INTEGER,
                        errorText TEXT,
                        PRIMARY KEY (schedule, dueAt)
                    ) WITHOUT ROWID;
                    """
            )
        }
        migrator.registerMigration("4 groups and files") { database in
            try database.execute(
                sql: """
                    CREATE TABLE appGroup (
                        id INTEGER PRIMARY KEY,
                        key TEXT NOT NULL UNIQUE,
                        secretHash BLOB NOT NULL,
                        name TEXT NOT NULL,
                        createdAt INTEGER NOT NULL
                    );

                    CREATE TABLE appGroupMember (
                        appGroup INTEGER NOT NULL REFERENCES appGroup ON DELETE CASCADE,
                        app INTEGER NOT NULL REFERENCES app ON DELETE CASCADE,
                        PRIMARY KEY (appGroup, app)
                    ) WITHOUT ROWID;

                    -- A push to a group: its cid, and the response to its caller.
                    CREATE TABLE groupPush (
                        id TEXT PRIMARY KEY NOT NULL,
                        appGroup INTEGER NOT NULL,
                        cid TEXT,
                        acceptedAt INTEGER NOT NULL,
                        answer TEXT NOT NULL
                    ) WITHOUT ROWID;
                    CREATE INDEX groupPushCID ON groupPush (appGroup, cid) WHERE cid IS NOT NULL;

                    -- The message of each app to which a push to a group went.
                    CREATE TABLE groupPushMessage (
                        groupPush TEXT NOT NULL REFERENCES groupPush ON DELETE CASCADE,
                        app INTEGER NOT NULL,
                        message INTEGER NOT NULL,
                        PRIMARY KEY (groupPush, app)
                    ) WITHOUT ROWID;

                    -- Uploaded audiences; the owner is the key of an app or of a group.
                    CREATE TABLE audienceFile (
                        id TEXT PRIMARY KEY NOT NULL,
                        owner TEXT NOT NULL,
                        kind TEXT NOT NULL CHECK (kind IN ('alias', 'registration_id')),
                        name TEXT,
                        content BLOB NOT NULL,
                        createdAt INTEGER NOT NULL,
                        -- Whether the caller chose how long the file is kept; only then do responses contain its end.
                        tellsExpiry INTEGER NOT NULL,
                        expiresAt INTEGER NOT NULL
                    );
                    CREATE INDEX audienceFileOwner ON audienceFile (owner, createdAt);

                    -- Broadcasts, if an operator limits them.
                    CREATE TABLE broadcast (
                        app INTEGER NOT NULL REFERENCES app ON DELETE CASCADE,
                        -- Days since 1970.
                        day INTEGER NOT NULL,
                        count INTEGER NOT NULL,
                        PRIMARY KEY (app, day)
                    ) WITHOUT ROWID;
                    """
            )
        }
        migrator.registerMigration("5 reports, developers and retention", migrate: reports)
        migrator.registerMigration("7 registration ids of others") { database in
            try database.execute(
                sql: """
                    CREATE TABLE importedID (
                        app INTEGER NOT NULL REFERENCES app ON DELETE CASCADE,
                        id TEXT NOT NULL,
                        ordinal INTEGER NOT NULL,
                        -- Whether the service uses this id as the device's name.
                        isName INTEGER NOT NULL,
                        PRIMARY KEY (app, id)
                    ) WITHOUT ROWID;
                    CREATE INDEX importedIDOfDevice ON importedID (app, ordinal);
                    -- Not a cascading foreign key: replacing a row would count as deleting it.
                    CREATE TRIGGER importedIDGone AFTER DELETE ON device
                    BEGIN
                        DELETE FROM importedID WHERE app = OLD.app AND ordinal = OLD.ordinal;
                    END;
                    """
            )
        }
        migrator.registerMigration("8 tokens are found in memory") { database in
            try database.execute(sql: "DROP INDEX deviceToken")
        }
        migrator.registerMigration("9 what waits is found by its lane") { database in
            try database.execute(
                sql: """
                    -- Twice the app's number, plus one for production.
                    ALTER TABLE chunk ADD COLUMN lane INTEGER NOT NULL DEFAULT 0;
                    UPDATE chunk SET lane = app * 2
                        + coalesce((SELECT environment = 'production' FROM message WHERE id = chunk.message), 0);
                    DROP INDEX chunkDue;
                    CREATE INDEX chunkWaiting ON chunk (lane, dueAt, message, number) WHERE isDone = 0 AND isLeased = 0;
                    CREATE INDEX chunkPaced ON chunk (app, message) WHERE isDone = 0 AND isPaced = 1;
                    """
            )
        }
        migrator.registerMigration("10 an only chunk lies with its message", migrate: unstarted)
        migrator.registerMigration("11 the SDK link", migrate: link)
        migrator.registerMigration("12 batches", migrate: batches)
        migrator.registerMigration("13 leases and retries", migrate: leases)
        migrator.registerMigration("14 everything by index", migrate: paths)
        migrator.registerMigration("15 quiet hours and zones of devices", migrate: quietHours)
        migrator.registerMigration("16 refused tokens", migrate: refusals)
        migrator.registerMigration("17 seals are bound to their places", migrate: seals)
        migrator.registerMigration("18 pushes know their requests", migrate: origins)
        migrator.registerMigration("19 users and audit log", migrate: users)
        migrator.registerMigration("20 app versions of devices", migrate: appVersions)
        migrator.registerMigration("21 channel tokens by name", migrate: channels)
        migrator.registerMigration("22 VoIP pushes", migrate: voip)
        migrator.registerMigration("23 callbacks", migrate: callbacks)
        migrator.registerMigration("24 callback receivers", migrate: callbackReceivers)
        migrator.registerMigration("25 callbacks by app", migrate: callbacksByApp)
        migrator.registerMigration("26 audit counts", migrate: auditCounts)
        migrator.registerMigration("27 languages and permissions of devices", migrate: permissions)
        return migrator
    }
}
