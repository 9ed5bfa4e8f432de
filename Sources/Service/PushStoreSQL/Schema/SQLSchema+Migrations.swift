extension SQLSchema {
    /// Returns the migrations after the baseline, in order: each a name, and statements separated by semicolons.
    package static func migrations(for dialect: SQLDialect) -> [(name: String, script: String)] {
        [("0.2.0", translated([columns, content, topics, events].joined(separator: "\n"), for: dialect))]
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
}
