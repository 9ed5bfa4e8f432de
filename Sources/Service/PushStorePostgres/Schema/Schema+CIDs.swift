extension Schema {
    /// Cids in two partitions that take turns, so that the old ones are dropped together.
    ///
    /// Uses are written to one partition and looked up in both. ``CIDRotation`` empties the other one a day after it was closed, and then
    /// it is the one that is written to. A calendar plays no part: no midnight separates two uses of a cid. The table `cid` has the keys
    /// of firings, which are kept longer.
    static let usedCIDs = """
        CREATE TABLE usedCID (
            slot bigint NOT NULL,
            app bigint NOT NULL,
            cid text COLLATE "C" NOT NULL,
            message bigint NOT NULL,
            sendno bigint NOT NULL,
            usedAt bigint NOT NULL,
            PRIMARY KEY (app, cid, slot)
        ) PARTITION BY LIST (slot);
        CREATE TABLE usedCID0 PARTITION OF usedCID FOR VALUES IN (0);
        CREATE TABLE usedCID1 PARTITION OF usedCID FOR VALUES IN (1);

        CREATE TABLE cidRotation (
            isOnly boolean PRIMARY KEY DEFAULT true CHECK (isOnly),
            -- The partition that is written to.
            slot bigint NOT NULL,
            -- When the other partition was closed.
            closedAt bigint NOT NULL
        );
        INSERT INTO cidRotation (slot, closedAt) VALUES (0, 0);
        """
}
