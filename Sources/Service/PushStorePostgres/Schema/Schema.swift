import PostgresClient

/// The versioned schema.
///
/// The tables and columns have the names that they have in SQLite. A released migration never changes. Names are not quoted, so
/// PostgreSQL stores them in lower case. Dates are milliseconds since 1970.
enum Schema {
    /// A step from one version of the schema to the next.
    struct Migration: Sendable {
        var name: String
        /// One statement each.
        var statements: [String]
    }

    /// The migrations in order. The version of a database is the number of migrations that it has had.
    static let migrations: [Migration] = [
        Migration(name: "1 settings", statements: settings),
        Migration(name: "2 apps", statements: apps),
        Migration(name: "3 devices", statements: devices),
        Migration(name: "4 pushes", statements: pushes),
        Migration(name: "5 reports", statements: reports),
        Migration(name: "6 schedules", statements: schedules),
        Migration(name: "7 custom messages", statements: customMessages),
        Migration(name: "8 callbacks", statements: callbacks),
        Migration(name: "9 nodes", statements: nodes),
        Migration(name: "10 cids in partitions", statements: usedCIDs),
        // The last checkpoint of the chunk; negative if it found the chunk withdrawn.
        Migration(name: "11 checkpoints", statements: ["ALTER TABLE chunk ADD COLUMN checkpoint bigint"]),
        Migration(name: "12 callbacks by app", statements: callbacksByApp),
        Migration(name: "13 audit counts", statements: auditCounts),
        // Both as the app sent them; null if unknown.
        Migration(
            name: "14 languages and permissions of devices",
            statements: ["ALTER TABLE device ADD COLUMN language text, ADD COLUMN permission text"]
        ),
    ]

    private static let settings = [
        "CREATE TABLE setting (key text PRIMARY KEY, value bytea NOT NULL)",
        // The next message id: one row, so that blocks of ids never overlap.
        "CREATE TABLE messageID (isOnly boolean PRIMARY KEY DEFAULT true CHECK (isOnly), next bigint NOT NULL)",
        "INSERT INTO messageID (next) VALUES (0)",
    ]

    /// The key of the advisory lock under which migrations run.
    private static let lock: Int64 = 0x706F_7374_686F_726E

    /// Brings a database to the current version, in one transaction. Of several nodes that start together, one does it.
    ///
    /// - Parameters:
    ///   - connection: the database.
    ///   - target: the version to stop at; tests make databases of earlier versions.
    /// - Throws: ``NewerSchema``, or an error of the server.
    static func migrate(_ connection: PostgresConnection, to target: Int = migrations.count) throws {
        try connection.execute("SELECT pg_advisory_xact_lock($1)", .int64(lock))
        try connection.execute(
            "CREATE TABLE IF NOT EXISTS schemaMigration (version bigint PRIMARY KEY, name text NOT NULL)"
        )
        let version =
            try connection.execute("SELECT coalesce(max(version), 0) FROM schemaMigration").first?.int64(0) ?? 0
        guard version <= migrations.count else { throw NewerSchema(version: version, known: migrations.count) }
        for number in Int(version)..<max(Int(version), target) {
            for statement in migrations[number].statements { try connection.execute(statement) }
            try connection.execute(
                "INSERT INTO schemaMigration (version, name) VALUES ($1, $2)",
                .int64(Int64(number + 1)),
                .text(migrations[number].name)
            )
        }
    }
}

/// The error for a database that a newer version of Posthorn has migrated.
package struct NewerSchema: Error, CustomStringConvertible {
    var version: Int64
    var known: Int
    package var description: String {
        """
        The PostgreSQL database has schema version \(version), and this version of Posthorn knows \(known). \
        Use the version that migrated it, or another database.
        """
    }
}
