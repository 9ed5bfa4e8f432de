extension Schema {
    /// Devices, their tokens and the logs of their changes.
    static let devices = [
        """
        CREATE TABLE device (
            app bigint NOT NULL,
            ordinal bigint NOT NULL CHECK (ordinal BETWEEN 0 AND 4294967295),
            installation text COLLATE "C" NOT NULL,
            secretHash bytea NOT NULL,
            token bytea,
            environment text NOT NULL CHECK (environment IN ('development', 'production')),
            tokenRegisteredAt bigint NOT NULL,
            alias text COLLATE "C",
            -- A JSON array.
            tags text NOT NULL,
            mobile text,
            badge bigint NOT NULL,
            system text NOT NULL,
            channel text,
            lastSeen bigint NOT NULL,
            version bigint NOT NULL,
            isStopped boolean NOT NULL,
            zone text,
            appVersion text,
            tokenRefusal text,
            PRIMARY KEY (app, ordinal),
            UNIQUE (app, installation)
        )
        """,
        "CREATE INDEX deviceToken ON device USING hash (token) WHERE token IS NOT NULL",
        "CREATE INDEX deviceAlias ON device (app, alias) WHERE alias IS NOT NULL",
        "CREATE INDEX deviceTokenRefusal ON device (app, ordinal) WHERE tokenRefusal IS NOT NULL",
        // The ordinals below have been given to nodes, in blocks. An ordinal is never reused.
        "CREATE TABLE deviceOrdinal (app bigint PRIMARY KEY, next bigint NOT NULL)",
        // The ordinals below may be those of deleted devices.
        "CREATE TABLE deviceFloor (app bigint PRIMARY KEY, ordinal bigint NOT NULL, days bigint NOT NULL)",
        // The position of a node's last change. The row is locked until the commit, so positions follow the order of commits.
        "CREATE TABLE registryHead (node bigint PRIMARY KEY, position bigint NOT NULL)",
        // A reader ignores a version that it has passed.
        """
        CREATE TABLE registryLog (
            node bigint NOT NULL,
            position bigint NOT NULL,
            app bigint NOT NULL,
            ordinal bigint NOT NULL,
            version bigint NOT NULL,
            -- Bits: 1 for the device's row, 2 for its imported ids, 4 if it was deleted.
            change bigint NOT NULL,
            PRIMARY KEY (node, position)
        )
        """,
        "CREATE TABLE tag (app bigint NOT NULL, name text COLLATE \"C\" NOT NULL, PRIMARY KEY (app, name))",
        """
        CREATE TABLE importedID (
            app bigint NOT NULL,
            id text COLLATE "C" NOT NULL,
            ordinal bigint NOT NULL,
            isName boolean NOT NULL,
            PRIMARY KEY (app, id)
        )
        """,
        "CREATE INDEX importedIDOfDevice ON importedID (app, ordinal)",
        """
        CREATE TABLE channelToken (
            app bigint NOT NULL,
            ordinal bigint NOT NULL,
            channel text COLLATE "C" NOT NULL CHECK (channel IN ('voip', 'activity', 'activityStart')),
            name text COLLATE "C" NOT NULL,
            token bytea NOT NULL,
            environment text NOT NULL CHECK (environment IN ('development', 'production')),
            at bigint NOT NULL,
            PRIMARY KEY (app, ordinal, channel, name)
        )
        """,
        "CREATE INDEX channelTokenOfName ON channelToken (app, channel, name, ordinal, environment)",
    ]
}
