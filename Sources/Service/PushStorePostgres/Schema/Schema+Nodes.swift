extension Schema {
    /// Several nodes: memberships, roles, links and rate limits, and all kinds of entries in the logs.
    static let nodes = [
        """
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
        )
        """,
        // A role is held by a membership that is not over.
        "CREATE TABLE leader (role text PRIMARY KEY, node bigint NOT NULL, fence bigint NOT NULL)",
        // The newest link of each device that has ever had one. It counts while the membership under which it was opened is not over, so
        // nothing is written here when one ends. No index on the node: then an update needs no new index entries.
        """
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
        ) WITH (fillfactor = 80)
        """,
        // Not logged: after a crash of the server, windows begin anew.
        """
        CREATE UNLOGGED TABLE rateWindow (
            key text COLLATE "C" PRIMARY KEY,
            -- By the server's clock, as milliseconds since 1970.
            endsAt bigint NOT NULL,
            used bigint NOT NULL,
            -- The calls given to the last caller.
            granted bigint NOT NULL
        )
        """,
        // When the entry was written, by the server's clock, as milliseconds since 1970.
        "ALTER TABLE registryLog ADD COLUMN at bigint NOT NULL DEFAULT 0",
        "ALTER TABLE registryLog ALTER COLUMN at SET DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint",
        // The subject of an entry: a message, or the node that a device has left.
        "ALTER TABLE registryLog ADD COLUMN subject bigint",
        // A JSON array of tags.
        "ALTER TABLE registryLog ADD COLUMN tags text",
        // Entries through this position were deleted.
        "ALTER TABLE registryHead ADD COLUMN deletedThrough bigint NOT NULL DEFAULT 0",
    ]
}
