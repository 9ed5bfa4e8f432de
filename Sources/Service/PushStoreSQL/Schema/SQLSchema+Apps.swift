extension SQLSchema {
    /// Settings, apps, their credentials, developers, files, and the portal's users.
    static let apps = """
        CREATE TABLE setting (key text PRIMARY KEY NOT NULL, value bytea NOT NULL) {keyed};

        CREATE TABLE app (
            id bigint PRIMARY KEY CHECK (id BETWEEN 1 AND 65535),
            key text COLLATE "C" NOT NULL UNIQUE,
            secretHash bytea NOT NULL,
            name text NOT NULL,
            bundleID text NOT NULL,
            environment text NOT NULL CHECK (environment IN ('development', 'production')),
            createdAt bigint NOT NULL,
            deletedAt bigint,
            -- Whether no data of the deleted app is left.
            isEmptied boolean NOT NULL DEFAULT false,
            -- As JSON; null if the app has none.
            quietHours text
        );
        CREATE INDEX appDeleted ON app (id) WHERE deletedAt IS NOT NULL AND NOT isEmptied;

        CREATE TABLE credential (
            app bigint PRIMARY KEY {app},
            keyID text NOT NULL,
            teamID text NOT NULL,
            sealedPrivateKey bytea NOT NULL
        );

        CREATE TABLE certificate (
            app bigint NOT NULL {app},
            environment text COLLATE "C" NOT NULL CHECK (environment IN ('development', 'production')),
            sealed bytea NOT NULL,
            topic text NOT NULL,
            notAfter bigint NOT NULL,
            fingerprint bytea NOT NULL,
            warnedDays bigint,
            PRIMARY KEY (app, environment)
        ) {keyed};

        CREATE TABLE pause (
            app bigint NOT NULL {app},
            environment text NOT NULL,
            reason text NOT NULL,
            detail text NOT NULL,
            until bigint NOT NULL,
            PRIMARY KEY (app, environment)
        ) {keyed};

        CREATE TABLE developer (
            id {number},
            key text COLLATE "C" NOT NULL UNIQUE,
            secretHash bytea NOT NULL,
            name text NOT NULL,
            isEnabled boolean NOT NULL,
            createdAt bigint NOT NULL
        );

        CREATE TABLE ownedApp (
            app bigint PRIMARY KEY {app},
            developer bigint NOT NULL,
            package text NOT NULL,
            groupName text,
            sealedSecret bytea NOT NULL
        );
        CREATE INDEX ownedAppPackage ON ownedApp (developer, package);

        -- Uploaded audiences; the owner is the key of an app or of a group.
        CREATE TABLE audienceFile (
            -- The order of creation.
            number {number},
            id text COLLATE "C" NOT NULL UNIQUE,
            owner text COLLATE "C" NOT NULL,
            kind text NOT NULL CHECK (kind IN ('alias', 'registration_id')),
            name text,
            content bytea NOT NULL,
            createdAt bigint NOT NULL,
            -- Whether the caller chose how long the file is kept; only then do responses contain its end.
            tellsExpiry boolean NOT NULL,
            expiresAt bigint NOT NULL
        );
        CREATE INDEX audienceFileOwner ON audienceFile (owner, createdAt, number);
        CREATE INDEX audienceFileExpiry ON audienceFile (expiresAt);

        -- The users of the portal. The name is a reserved word in PostgreSQL.
        CREATE TABLE "user" (
            name text COLLATE "C" PRIMARY KEY NOT NULL,
            -- 'viewer', 'sender' or 'admin'.
            role text NOT NULL,
            -- The scrypt hash with its salt and cost.
            password text NOT NULL,
            createdAt bigint NOT NULL
        ) {keyed};

        -- The changes that people made or tried to make.
        CREATE TABLE audit (
            id {sequence},
            at bigint NOT NULL,
            actor text NOT NULL,
            address text,
            action text NOT NULL,
            subject text,
            detail text,
            isDone boolean NOT NULL,
            -- The number of equal refusals, and the time of the last of several.
            count bigint NOT NULL DEFAULT 1,
            lastAt bigint
        );
        CREATE INDEX auditRefusal ON audit (actor, at) WHERE NOT isDone;
        """

    /// Groups of apps, pushes to them, and the counts of broadcasts.
    static let groups = """
        CREATE TABLE appGroup (
            id {number},
            key text COLLATE "C" NOT NULL UNIQUE,
            secretHash bytea NOT NULL,
            name text NOT NULL,
            createdAt bigint NOT NULL
        );

        CREATE TABLE appGroupMember (
            appGroup bigint NOT NULL REFERENCES appGroup ON DELETE CASCADE,
            app bigint NOT NULL REFERENCES app ON DELETE CASCADE,
            PRIMARY KEY (appGroup, app)
        ) {keyed};

        -- A push to a group: its cid, and the response to its caller.
        CREATE TABLE groupPush (
            id text PRIMARY KEY NOT NULL,
            appGroup bigint NOT NULL,
            cid text,
            acceptedAt bigint NOT NULL,
            answer text NOT NULL
        ) {keyed};
        CREATE INDEX groupPushCID ON groupPush (appGroup, cid) WHERE cid IS NOT NULL;
        CREATE INDEX groupPushAccepted ON groupPush (acceptedAt);

        -- The message of each app to which a push to a group went.
        CREATE TABLE groupPushMessage (
            groupPush text NOT NULL REFERENCES groupPush ON DELETE CASCADE,
            app bigint NOT NULL,
            message bigint NOT NULL,
            PRIMARY KEY (groupPush, app)
        ) {keyed};

        -- Broadcasts, if an operator limits them; a day is a number of days since 1970.
        CREATE TABLE broadcast (
            app bigint NOT NULL {app},
            day bigint NOT NULL,
            count bigint NOT NULL,
            PRIMARY KEY (app, day)
        ) {keyed};
        """

    static let schedules = """
        CREATE TABLE schedule (
            number {sequence},
            id text NOT NULL UNIQUE,
            app bigint NOT NULL {app},
            name text NOT NULL,
            isEnabled boolean NOT NULL,
            trigger text NOT NULL,
            push bytea NOT NULL,
            createdAt bigint NOT NULL,
            -- Null if no firing is to come.
            dueAt bigint,
            version bigint NOT NULL,
            -- The date of the last firing; null while another is to come.
            endedAt bigint
        );
        CREATE INDEX scheduleDue ON schedule (dueAt, number) WHERE dueAt IS NOT NULL;
        CREATE INDEX scheduleOfApp ON schedule (app, number) WHERE dueAt IS NOT NULL;
        CREATE INDEX scheduleEnded ON schedule (endedAt) WHERE endedAt IS NOT NULL;
        CREATE INDEX scheduleEndedOfApp ON schedule (app) WHERE endedAt IS NOT NULL;

        -- Kept when its schedule is deleted, so that a late repeat does not create it again.
        CREATE TABLE scheduleCID (
            app bigint NOT NULL {app},
            cid text NOT NULL,
            schedule text NOT NULL,
            name text NOT NULL,
            usedAt bigint NOT NULL,
            PRIMARY KEY (app, cid)
        ) {keyed};
        CREATE INDEX scheduleCIDUsed ON scheduleCID (usedAt);

        -- One firing for a due time, whichever node fires it.
        CREATE TABLE scheduleFiring (
            schedule text NOT NULL,
            dueAt bigint NOT NULL,
            at bigint NOT NULL,
            message bigint,
            errorStatus bigint,
            errorCode bigint,
            errorText text,
            PRIMARY KEY (schedule, dueAt)
        ) {keyed};
        """
}
