import PushModel
import PushService

extension Schema {
    /// Cids in two partitions that take turns, so that the old ones are dropped together.
    ///
    /// Uses are written to one partition and looked up in both. ``CIDRotation`` empties the other one a day after it was closed, and then
    /// it is the one that is written to. A calendar plays no part: no midnight separates two uses of a cid.
    ///
    /// The table `cid` remains for the keys of firings, which are kept longer. The cids in it are those of the time before this step, and
    /// those that nodes of an earlier version write during an upgrade: the trigger enters them into the partitions too, and tells such
    /// a node of a use that it cannot see. A later step can remove the trigger and the lookup in `cid`.
    static let usedCIDs = [
        """
        CREATE TABLE usedCID (
            slot bigint NOT NULL,
            app bigint NOT NULL,
            cid text COLLATE "C" NOT NULL,
            message bigint NOT NULL,
            sendno bigint NOT NULL,
            usedAt bigint NOT NULL,
            PRIMARY KEY (app, cid, slot)
        ) PARTITION BY LIST (slot)
        """,
        "CREATE TABLE usedCID0 PARTITION OF usedCID FOR VALUES IN (0)",
        "CREATE TABLE usedCID1 PARTITION OF usedCID FOR VALUES IN (1)",
        """
        CREATE TABLE cidRotation (
            isOnly boolean PRIMARY KEY DEFAULT true CHECK (isOnly),
            -- The partition that is written to.
            slot bigint NOT NULL,
            -- When the other partition was closed.
            closedAt bigint NOT NULL
        )
        """,
        "INSERT INTO cidRotation (slot, closedAt) VALUES (0, 0)",
        """
        CREATE FUNCTION useCID() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
            since bigint := NEW.usedAt - \(JPushLimits.cidLifetime * 1000);
            earlier usedCID;
        BEGIN
            PERFORM pg_advisory_xact_lock_shared(\(CIDRotation.lock));
            IF EXISTS (SELECT 1 FROM cid WHERE app = NEW.app AND cid = NEW.cid AND usedAt >= since) THEN
                RETURN NEW;
            END IF;
            SELECT * INTO earlier FROM usedCID
            WHERE app = NEW.app AND cid = NEW.cid AND usedAt >= since ORDER BY usedAt DESC LIMIT 1;
            IF NOT FOUND THEN
                INSERT INTO usedCID (slot, app, cid, message, sendno, usedAt)
                SELECT slot, NEW.app, NEW.cid, NEW.message, NEW.sendno, NEW.usedAt FROM cidRotation
                ON CONFLICT (app, cid, slot) DO UPDATE
                SET message = excluded.message, sendno = excluded.sendno, usedAt = excluded.usedAt
                WHERE usedCID.usedAt < since;
                IF FOUND THEN
                    RETURN NEW;
                END IF;
                SELECT * INTO earlier FROM usedCID
                WHERE app = NEW.app AND cid = NEW.cid AND usedAt >= since ORDER BY usedAt DESC LIMIT 1;
            END IF;
            INSERT INTO cid (app, cid, message, sendno, usedAt)
            VALUES (NEW.app, NEW.cid, earlier.message, earlier.sendno, earlier.usedAt)
            ON CONFLICT (app, cid) DO UPDATE
            SET message = excluded.message, sendno = excluded.sendno, usedAt = excluded.usedAt;
            RETURN NULL;
        END
        $$
        """,
        """
        CREATE TRIGGER cidUsed BEFORE INSERT ON cid FOR EACH ROW
        WHEN (pg_trigger_depth() = 0 AND NOT starts_with(NEW.cid, '\(FiringKey.prefix)')) EXECUTE FUNCTION useCID()
        """,
    ]
}
