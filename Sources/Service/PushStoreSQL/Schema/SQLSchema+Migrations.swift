extension SQLSchema {
    /// Returns the migrations after the baseline, in order: each a name, and statements separated by semicolons.
    package static func migrations(for dialect: SQLDialect) -> [(name: String, script: String)] {
        [
            ("0.2.0", translated([columns, content, topics, events].joined(separator: "\n"), for: dialect)),
            ("0.2.0 credentials", translated(credentials, for: dialect)),
            ("0.2.0 aliases", translated(aliases, for: dialect)),
            ("0.2.0 secrets", translated(secrets, for: dialect)),
            ("0.2.0 sequence", translated(sequence, for: dialect)),
            ("0.2.0 separation", translated(separation, for: dialect)),
            ("0.2.0 take-backs", translated(takeBacks, for: dialect)),
            ("0.2.0 read groups", translated(readGroups, for: dialect)),
        ]
    }

    private static let columns = """
        -- Whether pushes for which there are warnings are refused.
        ALTER TABLE app ADD COLUMN isStrict boolean NOT NULL DEFAULT false;
        -- As JSON; null if the device has none.
        ALTER TABLE device ADD COLUMN attributes text;
        -- Null for devices of version 0.1.0.
        ALTER TABLE device ADD COLUMN registeredAt bigint;
        -- Whether the app's stream has its events too. The URL is empty if nobody else is told.
        ALTER TABLE callback ADD COLUMN isStreamed boolean NOT NULL DEFAULT false;
        """

    /// Saved audiences, templates and push plans.
    private static let content = """
        CREATE TABLE segment (
            app bigint NOT NULL {app},
            name text COLLATE "C" NOT NULL,
            -- As JSON.
            rule text NOT NULL,
            PRIMARY KEY (app, name)
        ) {keyed};

        CREATE TABLE pushTemplate (
            number {sequence},
            id text COLLATE "C" NOT NULL UNIQUE,
            app bigint NOT NULL {app},
            name text NOT NULL,
            -- A push object without audience.
            push bytea NOT NULL,
            createdAt bigint NOT NULL
        );
        CREATE INDEX pushTemplateOfApp ON pushTemplate (app, number);

        CREATE TABLE pushPlan (
            app bigint NOT NULL {app},
            name text COLLATE "C" NOT NULL,
            description text NOT NULL,
            createdAt bigint NOT NULL,
            -- Also the pushes that are deleted by now.
            pushCount bigint NOT NULL,
            lastUsedAt bigint,
            PRIMARY KEY (app, name)
        ) {keyed};

        -- The plans of pushes, written before the pushes.
        CREATE TABLE planMessage (
            message bigint PRIMARY KEY,
            app bigint NOT NULL {app},
            plan text COLLATE "C" NOT NULL
        );
        CREATE INDEX planMessageOfPlan ON planMessage (app, plan, message);
        """

    /// The topics of apps, the devices that decline them, and the number of pushes that each has got.
    private static let topics = """
        CREATE TABLE topic (
            app bigint NOT NULL {app},
            name text COLLATE "C" NOT NULL,
            -- Null for any number of pushes.
            cap bigint,
            period text NOT NULL CHECK (period IN ('hour', 'day', 'week')),
            exemptsImmediate boolean NOT NULL,
            PRIMARY KEY (app, name)
        ) {keyed};

        CREATE TABLE topicDecline (
            app bigint NOT NULL,
            ordinal bigint NOT NULL,
            topic text COLLATE "C" NOT NULL,
            PRIMARY KEY (app, ordinal, topic)
        ) {keyed};

        CREATE TABLE topicUse (
            app bigint NOT NULL,
            ordinal bigint NOT NULL,
            topic text COLLATE "C" NOT NULL,
            -- Counted from 1970 in the device's time zone.
            period bigint NOT NULL,
            -- The number of pushes in this period, and the last of them.
            count bigint NOT NULL,
            message bigint NOT NULL,
            PRIMARY KEY (app, ordinal, topic)
        ) {keyed};
        """

    /// The events that apps read by position.
    private static let events = """
        -- An app whose events are kept, and the last position of one.
        CREATE TABLE eventStream (app bigint PRIMARY KEY, position bigint NOT NULL);

        CREATE TABLE appEvent (
            number {sequence},
            app bigint NOT NULL,
            -- Null until a reader comes.
            position bigint,
            kind text NOT NULL,
            -- The push as its sender knows it, and its part; null for an event of devices.
            message bigint,
            part text,
            at bigint NOT NULL,
            -- Packed; empty for an event of the push alone.
            ordinals bytea NOT NULL
        );
        CREATE INDEX appEventNew ON appEvent (app, number) WHERE position IS NULL;
        CREATE INDEX appEventPosition ON appEvent (app, position) WHERE position IS NOT NULL;
        CREATE INDEX appEventAt ON appEvent (at);
        """

    /// The setter of aliases of each app, and the aliases that backends have vouched for.
    private static let aliases = """
        ALTER TABLE app ADD COLUMN aliasPolicy text NOT NULL DEFAULT 'anyone'
            CHECK (aliasPolicy IN ('anyone', 'proved', 'backend'));
        -- The beginning of the tags that are protected like aliases; empty if none are.
        ALTER TABLE app ADD COLUMN protectedTags text NOT NULL DEFAULT '';
        -- The number of the key by which the backend makes proofs; 0 if none was made. The key is derived from it.
        ALTER TABLE app ADD COLUMN aliasKeyNumber bigint NOT NULL DEFAULT 0;
        -- Until when proofs by the key before are valid; null if they are not.
        ALTER TABLE app ADD COLUMN formerAliasKeyUntil bigint;
        ALTER TABLE device ADD COLUMN isAliasProved boolean NOT NULL DEFAULT false;
        """

    /// The credentials of an app as a set, and pauses by topic.
    private static let credentials = """
        CREATE TABLE appCredential (
            id {sequence},
            app bigint NOT NULL {app},
            kind text NOT NULL CHECK (kind IN ('p8', 'certificate')),
            origin text NOT NULL,
            -- Of a key; null for a certificate.
            keyID text,
            teamID text,
            -- Of a certificate; null for a key. The topics are a JSON array, or null if the version that stored it did not note them.
            bundleID text,
            certificateTopics text,
            notAfter bigint,
            fingerprint bytea,
            warnedDays bigint,
            -- The environments and topics that it is used for. The topics are a JSON array; null for all of them.
            forDevelopment boolean NOT NULL,
            forProduction boolean NOT NULL,
            namesEnvironments boolean NOT NULL,
            topics text,
            sealed bytea NOT NULL,
            -- What APNs has answered, as a JSON array.
            answers text NOT NULL,
            addedAt bigint NOT NULL
        );
        CREATE INDEX appCredentialOfApp ON appCredential (app, id);

        INSERT INTO appCredential (app, kind, origin, keyID, teamID, forDevelopment, forProduction, namesEnvironments, sealed,
            answers, addedAt)
        SELECT credential.app, 'p8', 'earlier', keyID, teamID, true, true, false, sealedPrivateKey, '[]', app.createdAt
        FROM credential JOIN app ON app.id = credential.app ORDER BY credential.app;

        -- The same certificate in both environments is one credential.
        INSERT INTO appCredential (app, kind, origin, bundleID, notAfter, fingerprint, warnedDays, forDevelopment,
            forProduction, namesEnvironments, sealed, answers, addedAt)
        SELECT one.app, 'certificate', 'earlier', one.topic, one.notAfter, one.fingerprint, one.warnedDays,
            EXISTS (
                SELECT 1 FROM certificate AS same WHERE same.app = one.app AND same.fingerprint = one.fingerprint
                    AND same.environment = 'development'
            ),
            EXISTS (
                SELECT 1 FROM certificate AS same WHERE same.app = one.app AND same.fingerprint = one.fingerprint
                    AND same.environment = 'production'
            ),
            false, one.sealed, '[]', app.createdAt
        FROM certificate AS one JOIN app ON app.id = one.app
        WHERE NOT EXISTS (
            SELECT 1 FROM certificate AS same WHERE same.app = one.app AND same.fingerprint = one.fingerprint
                AND same.environment < one.environment
        )
        ORDER BY one.app, one.environment;

        DROP TABLE credential;
        DROP TABLE certificate;

        CREATE TABLE destinationPause (
            -- The lane of the destination's immediate pushes: its number without the lowest bit.
            destination bigint PRIMARY KEY NOT NULL,
            app bigint NOT NULL {app},
            reason text NOT NULL,
            detail text NOT NULL,
            until bigint NOT NULL
        ) {keyed};
        INSERT INTO destinationPause (destination, app, reason, detail, until)
        SELECT app * 4 + CASE WHEN environment = 'production' THEN 2 ELSE 0 END, app, reason, detail, until FROM pause;
        DROP TABLE pause;
        """

    private static let sequence = """
        -- The number of the last operation of the app on its device; 0 before the first.
        ALTER TABLE device ADD COLUMN sequence bigint NOT NULL DEFAULT 0;
        """

    private static let separation = """
        -- When another phone, restored from one backup with this one, has registered as a device of its own, and as which; null if none has.
        ALTER TABLE device ADD COLUMN separatedAt bigint;
        ALTER TABLE device ADD COLUMN separatedAs bigint;
        """

    private static let takeBacks = """
        -- The pushes that ask devices to remove the notifications of others, noted before they are accepted.
        CREATE TABLE takeBack (message bigint PRIMARY KEY, app bigint NOT NULL, id bigint NOT NULL UNIQUE, at bigint NOT NULL);
        CREATE INDEX takeBackOfApp ON takeBack (app, at);
        CREATE INDEX takeBackAt ON takeBack (at);
        """

    private static let readGroups = """
        -- Take-backs. A push has one for all of its devices, with the device -1, or one for each device that is asked alone.
        CREATE TABLE takeBackOrder (
            id bigint PRIMARY KEY, message bigint NOT NULL, app bigint NOT NULL, device bigint NOT NULL, at bigint NOT NULL
        );
        INSERT INTO takeBackOrder (id, message, app, device, at) SELECT id, message, app, -1, at FROM takeBack;
        DROP TABLE takeBack;
        CREATE UNIQUE INDEX takeBackOrderOfMessage ON takeBackOrder (message, device);
        CREATE INDEX takeBackOrderOfDevice ON takeBackOrder (app, device, at);
        CREATE INDEX takeBackOrderAt ON takeBackOrder (at);
        """

    /// The secrets before the current ones, and groups and developers whose rows outlive them.
    private static let secrets = """
        -- The hashes of replaced secrets and until when they are valid, as a JSON array; null if there are none.
        ALTER TABLE app ADD COLUMN formerSecrets text;
        ALTER TABLE appGroup ADD COLUMN formerSecrets text;
        ALTER TABLE developer ADD COLUMN formerSecrets text;
        -- A deleted one stays as a row, so that no other gets its id, and with it the pushes or the apps.
        ALTER TABLE appGroup ADD COLUMN deletedAt bigint;
        ALTER TABLE developer ADD COLUMN deletedAt bigint;
        -- The pushes of groups that an earlier version has deleted, which would become those of the next group with the id.
        DELETE FROM groupPush WHERE appGroup NOT IN (SELECT id FROM appGroup);
        """
}
