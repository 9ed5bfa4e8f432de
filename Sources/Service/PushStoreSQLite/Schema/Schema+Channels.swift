import GRDB

extension Schema {
    /// "21 channel tokens by name".
    static func channels(_ database: Database) throws {
        try database.execute(
            sql: "CREATE INDEX channelTokenOfName ON channelToken (app, channel, name, ordinal, environment)"
        )
    }
}
