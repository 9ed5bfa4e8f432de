import GRDB

extension Schema {
    /// "22 VoIP pushes".
    static func voip(_ database: Database) throws {
        try database.execute(
            sql: """
                -- The message that is a push's VoIP push: the push itself if it has nothing else for APNs.
                CREATE TABLE voipPush (
                    message INTEGER PRIMARY KEY,
                    voip INTEGER NOT NULL UNIQUE
                ) WITHOUT ROWID;
                """
        )
    }
}
