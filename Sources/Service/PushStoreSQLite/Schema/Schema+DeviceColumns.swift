import GRDB

extension Schema {
    /// "20 app versions of devices".
    static func appVersions(_ database: Database) throws {
        try database.execute(
            sql: """
                -- The version of the app, as its SDK sent it; null if unknown.
                ALTER TABLE device ADD COLUMN appVersion TEXT;
                """
        )
    }

    /// "27 languages and permissions of devices".
    static func permissions(_ database: Database) throws {
        try database.execute(
            sql: """
                -- Both as the app sent them; null if unknown.
                ALTER TABLE device ADD COLUMN language TEXT;
                ALTER TABLE device ADD COLUMN permission TEXT;
                """
        )
    }
}
