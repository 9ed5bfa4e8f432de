import GRDB
import PushStoreSQL

/// The database schema: the tables of both engines, and the parts that SQLite alone has.
///
/// A released migration never changes.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration(SQLSchema.baseline) { database in
            try database.execute(sql: SQLSchema.tables(for: .sqlite))
            try database.execute(sql: own)
        }
        for (name, script) in SQLSchema.migrations(for: .sqlite) {
            migrator.registerMigration(name) { try $0.execute(sql: script) }
        }
        return migrator
    }

    /// The name of the first migration before version 0.1.0.
    private static let first = "1 the road"

    /// Returns whether a version before 0.1.0 has written the database.
    static func isOlder(_ database: Database) throws -> Bool {
        try database.tableExists("grdb_migrations")
            && String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations").contains(first)
    }

    private static let own = """
        CREATE UNIQUE INDEX journeyEventOnce ON journeyEvent (message, ordinal, event);
        CREATE INDEX messageUnstarted ON message (lane, acceptedAt) WHERE unstarted IS NOT NULL;
        CREATE INDEX batchAccepted ON batch (acceptedAt);

        -- Not cascading foreign keys: replacing a row would count as deleting it.
        CREATE TRIGGER deviceGone AFTER DELETE ON device
        BEGIN
            DELETE FROM importedID WHERE app = OLD.app AND ordinal = OLD.ordinal;
            DELETE FROM channelToken WHERE app = OLD.app AND ordinal = OLD.ordinal;
            DELETE FROM messageCursor WHERE app = OLD.app AND ordinal = OLD.ordinal;
        END;
        """
}
