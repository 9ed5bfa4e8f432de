import PostgresClient
import PushStoreSQL

/// The versioned schema: the tables of both engines, and the parts that PostgreSQL alone has.
///
/// A released migration never changes. Names are not quoted, so PostgreSQL stores them in lower case.
enum Schema {
    /// A step from one version of the schema to the next.
    struct Migration: Sendable {
        var name: String
        /// Statements, separated by semicolons.
        var script: String
    }

    /// The migrations in order. The version of a database is the number of migrations that it has had.
    static let migrations =
        [
            Migration(
                name: SQLSchema.baseline,
                script: [SQLSchema.tables(for: .postgres), own, usedCIDs, nodes].joined(separator: "\n")
            )
        ] + SQLSchema.migrations(for: .postgres).map { Migration(name: $0.name, script: $0.script) }

    private static let own = """
        -- The node that accepted the message.
        ALTER TABLE message ADD COLUMN node bigint NOT NULL;
        ALTER TABLE customMessage ADD COLUMN node bigint NOT NULL;
        -- The last checkpoint of the chunk; negative if it found the chunk withdrawn.
        ALTER TABLE chunk ADD COLUMN checkpoint bigint;

        -- An index entry has at most 2.7 kB; events contain reasons of any length.
        CREATE UNIQUE INDEX journeyEventOnce ON journeyEvent (message, ordinal, md5(event));
        CREATE INDEX messageUnstarted ON message (lane, acceptedAt, id) WHERE unstarted IS NOT NULL;
        CREATE INDEX deviceToken ON device USING hash (token) WHERE token IS NOT NULL;
        CREATE INDEX deviceAlias ON device (app, alias) WHERE alias IS NOT NULL;

        -- The next message id: one row, so that blocks of ids never overlap.
        CREATE TABLE messageID (isOnly boolean PRIMARY KEY DEFAULT true CHECK (isOnly), next bigint NOT NULL);
        INSERT INTO messageID (next) VALUES (0);
        -- The ordinals below have been given to nodes, in blocks. An ordinal is never reused.
        CREATE TABLE deviceOrdinal (app bigint PRIMARY KEY, next bigint NOT NULL);
        -- The last position of custom messages. Who takes one locks the row until the commit, so positions follow the order of commits.
        CREATE TABLE customMessageHead (
            isOnly boolean PRIMARY KEY DEFAULT true CHECK (isOnly),
            position bigint NOT NULL
        );
        INSERT INTO customMessageHead (position) VALUES (0);
        """

    /// The key of the advisory lock under which migrations run.
    private static let lock: Int64 = 0x706F_7374_686F_726E

    /// Brings a database to the current version, in one transaction. Of several nodes that start together, one does it.
    ///
    /// - Throws: ``NewerSchema``, ``OlderSchema``, ``UnsuitableDatabase``, or an error of the server.
    static func migrate(_ connection: PostgresConnection) throws {
        let place = try DatabasePlace(connection)
        guard place.encoding == "UTF8" else { throw UnsuitableDatabase.encoding(place) }
        try connection.execute("SELECT pg_advisory_xact_lock($1)", .int64(lock))
        let known = try connection.execute("SELECT to_regclass('schemaMigration')::text").first?.optionalText(0)
        if known == nil {
            guard place.mayCreate else { throw UnsuitableDatabase.privilege(place) }
            try connection.execute("CREATE TABLE schemaMigration (version bigint PRIMARY KEY, name text NOT NULL)")
        }
        let applied = try connection.execute("SELECT name FROM schemaMigration ORDER BY version").map { $0.text(0) }
        guard (applied.first ?? SQLSchema.baseline) == SQLSchema.baseline else { throw OlderSchema() }
        guard applied.count <= migrations.count else {
            throw NewerSchema(version: applied.count, known: migrations.count)
        }
        guard applied.count == migrations.count || place.mayCreate else { throw UnsuitableDatabase.privilege(place) }
        for number in applied.count..<migrations.count {
            try connection.executeScript(migrations[number].script)
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
    var version: Int
    var known: Int
    package var description: String {
        """
        The PostgreSQL database has schema version \(version), and this version of Posthorn knows \(known). \
        Use the version that migrated it, or another database.
        """
    }
}

/// The error for a database that a version before 0.1.0 has written.
package struct OlderSchema: Error, CustomStringConvertible {
    package var description: String {
        """
        The PostgreSQL database was written by a version of Posthorn before 0.1.0, which no release reads. Give an empty \
        database, and create the apps anew; devices register again by themselves.
        """
    }
}
