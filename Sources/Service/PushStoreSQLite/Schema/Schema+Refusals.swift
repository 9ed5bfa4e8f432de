import GRDB

extension Schema {
    /// "16 refused tokens".
    static func refusals(_ database: Database) throws {
        try database.execute(
            sql: """
                -- The reason why APNs refused the device's token, if it would do so again; null for a usable token.
                ALTER TABLE device ADD COLUMN tokenRefusal TEXT;
                CREATE INDEX deviceTokenRefusal ON device (app, ordinal) WHERE tokenRefusal IS NOT NULL;
                """
        )
    }
}
