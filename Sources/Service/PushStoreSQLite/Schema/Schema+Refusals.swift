import GRDB

extension Schema {
    /// "16 refused tokens".
    static func refusals(_ database: Database) throws {
        try database.execute(
            sql: """
                -- Why APNs refused the device's token, if it will do so again; null for a token that may be sent to.
                ALTER TABLE device ADD COLUMN tokenRefusal TEXT;
                CREATE INDEX deviceTokenRefusal ON device (app, ordinal) WHERE tokenRefusal IS NOT NULL;
                """
        )
    }
}
