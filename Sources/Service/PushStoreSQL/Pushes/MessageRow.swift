package import PushModel
package import PushService

/// The location of a message: its own row, or a place in the row of a batch.
package struct MessageRow {
    /// The id of the row.
    package var id: Int64
    package var app: App.ID
    package var acceptedAt: Int64
    /// The place in the batch; nil for a row of its own.
    package var place: Int?

    /// Returns the location of a message; nil if it does not exist.
    ///
    /// - Throws: ``CorruptRow`` if it is in a batch that cannot be read.
    package static func find(_ message: MessageID, in session: any SQLSession) throws -> MessageRow? {
        let row = try session.first(
            """
            SELECT id, app, message.acceptedAt, lastID, batch.count FROM message LEFT JOIN batch ON first = id AND lastID IS NOT NULL
            WHERE id <= \(message) ORDER BY id DESC LIMIT 1
            """
        ) { row in
            let found = MessageRow(id: row.int64(0), app: row.app(1), acceptedAt: row.int64(2))
            return (found: found, last: row.optionalInt64(3), count: row.optionalInt64(4))
        }
        guard let row else { return nil }
        var found = row.found
        guard let last = row.last else { return found.id == message.number ? found : nil }
        guard message.number <= last else { return nil }
        if row.count == last - found.id + 1 {
            found.place = Int(message.number - found.id)
        } else {
            found.place = try names(of: found.id, in: session).firstIndex { $0.id == message }
        }
        return found.place == nil ? nil : found
    }

    package static func names(of batch: Int64, in session: any SQLSession) throws -> [BatchNames.Name] {
        let names = try session.first("SELECT names FROM batch WHERE first = \(batch)") { $0.bytes(0) }
        guard let names else { throw CorruptRow(table: "message", column: "lastID", found: "\(batch)") }
        return try BatchNames(packed: names).names
    }
}
