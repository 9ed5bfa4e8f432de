import GRDB

extension Schema {
    /// "15 quiet hours and zones of devices".
    static func quietHours(_ database: Database) throws {
        try database.execute(
            sql: """
                -- The device's time zone, an IANA name; null if unknown.
                ALTER TABLE device ADD COLUMN zone TEXT;
                -- The app's quiet hours, as JSON; null if it has none.
                ALTER TABLE app ADD COLUMN quietHours TEXT;
                """
        )
    }
}
