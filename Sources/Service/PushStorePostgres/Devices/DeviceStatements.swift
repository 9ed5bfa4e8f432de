import PushService

/// The statements that write many devices at once.
enum DeviceStatements {
    /// Gives a block of ordinals to a node.
    ///
    /// In a transaction of its own: the row stays locked until the commit. `$1`: app; `$2`: the number of ordinals. Returns the
    /// first.
    static let claimOrdinals = """
        INSERT INTO deviceOrdinal AS known (app, next) VALUES ($1, $2)
        ON CONFLICT (app) DO UPDATE SET next = known.next + excluded.next
        RETURNING next - $2
        """

    private static let columns = [
        ("ordinal", "bigint"), ("installation", "text"), ("secretHash", "bytea"), ("token", "bytea"),
        ("environment", "text"), ("tokenRegisteredAt", "bigint"), ("alias", "text"), ("tags", "text"),
        ("mobile", "text"), ("badge", "bigint"), ("system", "text"), ("channel", "text"), ("lastSeen", "bigint"),
        ("version", "bigint"), ("isStopped", "boolean"), ("zone", "text"), ("appVersion", "text"),
        ("tokenRefusal", "text"), ("language", "text"), ("permission", "text"),
    ]

    /// The columns of a device after its app, in the order of ``write``.
    static let names = columns.map(\.0).joined(separator: ", ")

    /// Inserts or updates devices and adds them to the node's log, in the order of their ordinals.
    ///
    /// `$1`: node; `$2`: app; `$3`: the bits of the change; then an array for each of ``names``. It waits for the node's earlier
    /// writes to commit.
    static let write = """
        WITH written AS (
            INSERT INTO device (app, \(names))
            SELECT $2::bigint, given.* FROM unnest(\(arrays)) AS given (\(names))
            ON CONFLICT (app, ordinal) DO UPDATE SET
                \(columns.dropFirst().map { "\($0.0) = excluded.\($0.0)" }.joined(separator: ", "))
            RETURNING ordinal, version
        ), \(logged(change: "$3", returning: "position"))
        """

    private static let arrays = columns.enumerated().map { "$\($0.offset + 4)::\($0.element.1)[]" }
        .joined(separator: ", ")

    /// Adds the rows of `written` to the log of node `$1` for app `$2`, at the next positions.
    private static func logged(change: String, returning column: String) -> String {
        """
        head AS (
            INSERT INTO registryHead AS known (node, position) SELECT $1::bigint, count(*) FROM written
            ON CONFLICT (node) DO UPDATE SET position = known.position + excluded.position
            RETURNING position
        )
        INSERT INTO registryLog (node, position, app, ordinal, version, change, at)
        SELECT $1::bigint, head.position - (SELECT count(*) FROM written) + row_number() OVER (ORDER BY ordinal),
            $2::bigint, ordinal, version, \(change)::bigint, \(PostgresStore.serverTime)
        FROM written, head
        RETURNING \(column)
        """
    }

    /// Deletes devices that were last seen before a date, with their tokens and imported ids, and logs a tombstone for each.
    ///
    /// A tombstone's version is the device's next one, so that no earlier change brings the device back.
    /// `$1`: node; `$2`: app; `$3`: ordinals; `$4`: the date. Returns the deleted ordinals.
    static let delete = """
        WITH written AS (
            DELETE FROM device WHERE app = $2 AND ordinal = ANY ($3::bigint[]) AND lastSeen < $4
            RETURNING ordinal, version + 1 AS version
        ), ids AS (
            DELETE FROM importedID WHERE app = $2 AND ordinal IN (SELECT ordinal FROM written)
        ), tokens AS (
            DELETE FROM channelToken WHERE app = $2 AND ordinal IN (SELECT ordinal FROM written)
        ), cursors AS (
            DELETE FROM messageCursor WHERE app = $2 AND ordinal IN (SELECT ordinal FROM written)
        ), links AS (
            DELETE FROM link WHERE app = $2 AND ordinal IN (SELECT ordinal FROM written)
        ), \(logged(change: "4", returning: "ordinal"))
        """
}
