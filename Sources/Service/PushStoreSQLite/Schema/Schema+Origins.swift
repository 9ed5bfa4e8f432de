import GRDB

extension Schema {
    /// "18 pushes know their requests".
    static func origins(_ database: Database) throws {
        try database.execute(
            sql: """
                -- The id of the request that the push or the batch came with; null for what the service itself sends.
                ALTER TABLE message ADD COLUMN requestID TEXT;
                -- Its place in a distributed trace, as a JSON object of texts; null without one.
                ALTER TABLE message ADD COLUMN trace TEXT;
                """
        )
    }
}
