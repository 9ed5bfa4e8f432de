extension SQLSchema {
    /// Devices, their tags, imported ids and tokens for channels.
    static let devices = """
        -- One row per device; tags are a JSON array in it, not rows of their own.
        CREATE TABLE device (
            app bigint NOT NULL {app},
            ordinal bigint NOT NULL CHECK (ordinal BETWEEN 0 AND 4294967295),
            installation text COLLATE "C" NOT NULL,
            secretHash bytea NOT NULL,
            token bytea,
            environment text NOT NULL CHECK (environment IN ('development', 'production')),
            tokenRegisteredAt bigint NOT NULL,
            alias text COLLATE "C",
            tags text NOT NULL,
            badge bigint NOT NULL,
            system text NOT NULL,
            channel text,
            lastSeen bigint NOT NULL,
            version bigint NOT NULL,
            mobile text,
            isStopped boolean NOT NULL DEFAULT false,
            -- The time zone, an IANA name; null if unknown.
            zone text,
            -- The reason why APNs refused the token, if it would do so again; null for a usable token.
            tokenRefusal text,
            -- The version of the app, as its SDK sent it; null if unknown, as are the next two.
            appVersion text,
            language text,
            permission text,
            PRIMARY KEY (app, ordinal)
        ) {keyed};
        CREATE UNIQUE INDEX deviceInstallation ON device (app, installation);
        CREATE INDEX deviceTokenRefusal ON device (app, ordinal) WHERE tokenRefusal IS NOT NULL;

        -- The ordinals below may be those of deleted devices.
        CREATE TABLE deviceFloor (app bigint PRIMARY KEY {app}, ordinal bigint NOT NULL, days bigint NOT NULL);

        -- Tags created through the REST API and not deleted; they exist even while no device has them.
        CREATE TABLE tag (
            app bigint NOT NULL {app},
            name text COLLATE "C" NOT NULL,
            PRIMARY KEY (app, name)
        ) {keyed};

        CREATE TABLE importedID (
            app bigint NOT NULL {app},
            id text COLLATE "C" NOT NULL,
            ordinal bigint NOT NULL,
            -- Whether the service uses this id as the device's name.
            isName boolean NOT NULL,
            PRIMARY KEY (app, id)
        ) {keyed};
        CREATE INDEX importedIDOfDevice ON importedID (app, ordinal);

        -- A device's tokens for APNs channels other than notifications.
        CREATE TABLE channelToken (
            app bigint NOT NULL {app},
            ordinal bigint NOT NULL,
            channel text COLLATE "C" NOT NULL CHECK (channel IN ('voip', 'activity', 'activityStart')),
            -- The id of the Live Activity, or its attributes type; empty for VoIP.
            name text COLLATE "C" NOT NULL,
            token bytea NOT NULL,
            environment text NOT NULL CHECK (environment IN ('development', 'production')),
            at bigint NOT NULL,
            PRIMARY KEY (app, ordinal, channel, name)
        ) {keyed};
        CREATE INDEX channelTokenOfName ON channelToken (app, channel, name, ordinal, environment);
        """

    /// Custom messages that may still wait for devices, and the positions up to which devices have received them.
    static let link = """
        -- In the order of delivery. The audience is in the message's chunks of kind 'message'.
        CREATE TABLE customMessage (
            position {position},
            app bigint NOT NULL {app},
            message bigint NOT NULL UNIQUE,
            expiresAt bigint NOT NULL,
            -- The only device of the audience; null if it has several.
            onlyOrdinal bigint
        );
        CREATE INDEX customMessageOfDevice ON customMessage (app, onlyOrdinal, position) WHERE onlyOrdinal IS NOT NULL;
        CREATE INDEX customMessageOfMany ON customMessage (app, position) WHERE onlyOrdinal IS NULL;
        CREATE INDEX customMessageExpiry ON customMessage (expiresAt);

        CREATE TABLE messageCursor (
            app bigint NOT NULL {app},
            ordinal bigint NOT NULL,
            position bigint NOT NULL,
            PRIMARY KEY (app, ordinal)
        ) {keyed};
        """
}
