import GRDB

extension Schema {
    /// "18 pushes know their requests".
    static func origins(_ database: Database) throws {
        try database.execute(
            sql: """
                -- The id of the request that contained the push or the batch; null for pushes of the service itself.
                ALTER TABLE message ADD COLUMN requestID TEXT;
                -- Its context in a distributed trace, as a JSON object of strings; null if it has none.
                ALTER TABLE message ADD COLUMN trace TEXT;
                """
        )
    }
}
