import GRDB

extension Schema {
    /// "17 seals are bound to their places".
    static func seals(_ database: Database) throws {
        for table in ["credential", "certificate", "ownedApp"] {
            // Whether app and environment are part of the seal. Adding them needs the service's secret: see `bindSeals`.
            try database.execute(sql: "ALTER TABLE \(table) ADD COLUMN isBound INTEGER NOT NULL DEFAULT 0")
        }
    }
}
