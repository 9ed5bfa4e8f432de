extension Schema {
    /// Several nodes: memberships, roles, links, rate limits, and the logs of changes.
    static let nodes = """
        CREATE TABLE node (
            id bigint PRIMARY KEY CHECK (id BETWEEN 1 AND 32767),
            -- The fencing number of the last membership.
            fence bigint NOT NULL,
            name text NOT NULL,
            version text NOT NULL,
            links bigint NOT NULL,
            lanes bigint NOT NULL,
            lag bigint NOT NULL,
            -- By the server's clock, as milliseconds since 1970.
            leasedUntil bigint NOT NULL,
            -- Whether the membership has ended.
            isOver boolean NOT NULL,
            isDraining boolean NOT NULL
        );

        -- A role is held by a membership that is not over.
        CREATE TABLE leader (role text PRIMARY KEY, node bigint NOT NULL, fence bigint NOT NULL);

        -- The newest link of each device that has ever had one. It counts while the membership under which it was opened is not over, so
        -- nothing is written here when one ends. No index on the node: then an update needs no new index entries.
        CREATE TABLE link (
            app bigint NOT NULL,
            ordinal bigint NOT NULL,
            number bigint NOT NULL,
            -- Null after the link was closed.
            node bigint,
            fence bigint,
            -- The place of the link before.
            leftNode bigint,
            leftFence bigint,
            PRIMARY KEY (app, ordinal)
        ) WITH (fillfactor = 80);

        -- Not logged: after a crash of the server, windows begin anew.
        CREATE UNLOGGED TABLE rateWindow (
            key text COLLATE "C" PRIMARY KEY,
            -- By the server's clock, as milliseconds since 1970.
            endsAt bigint NOT NULL,
            used bigint NOT NULL,
            -- The calls given to the last caller.
            granted bigint NOT NULL
        );

        CREATE TABLE registryHead (
            node bigint PRIMARY KEY,
            -- The position of the node's last change. The row is locked until the commit, so positions follow the order of commits.
            position bigint NOT NULL,
            -- Entries through this position were deleted.
            deletedThrough bigint NOT NULL DEFAULT 0
        );

        -- A reader ignores a version that it has passed.
        CREATE TABLE registryLog (
            node bigint NOT NULL,
            position bigint NOT NULL,
            app bigint NOT NULL,
            ordinal bigint NOT NULL,
            version bigint NOT NULL,
            -- Bits: 1 for the device's row, 2 for its imported ids, 4 if it was deleted.
            change bigint NOT NULL,
            -- When the entry was written, by the server's clock, as milliseconds since 1970.
            at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
            -- The subject of an entry: a message, or the node that a device has left.
            subject bigint,
            -- A JSON array of tags.
            tags text,
            PRIMARY KEY (node, position)
        );
        """
}
