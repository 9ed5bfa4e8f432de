import PostgresClient
package import PushModel
package import PushService

extension PostgresStore {
    /// The number of rows in a search for the pushes of an app.
    private static let searchedRows: Int64 = 20_000

    package func messages(of app: App.ID, before id: MessageID?, limit: Int) async throws -> MessagePage {
        try await read { connection in
            var page = MessagePage()
            let before = id?.number ?? Int64.max
            // The server searches; the rows that it passes over stay there.
            let rows = try connection.execute(
                """
                WITH searched AS (SELECT id, app FROM message WHERE id < $1 ORDER BY id DESC LIMIT $2)
                SELECT id FROM searched
                WHERE app = $3 ORDER BY id DESC LIMIT $4
                """,
                .int64(before),
                .int64(Self.searchedRows),
                .app(app),
                .int64(Int64(limit + 1))
            )
            for row in rows {
                // A batch may have more pushes than the page takes.
                guard page.messages.count < limit else { break }
                let entries = try Self.entries(of: row.int64(0), in: connection)
                for entry in entries where id.map({ entry.message.id < $0 }) ?? true {
                    guard page.messages.count < limit else { break }
                    page.messages.append(entry)
                }
            }
            if page.messages.count == limit {
                page.next = page.messages.last?.message.id
            } else {
                page.next = try Self.end(ofSearchBefore: before, rows, limit: limit, in: connection)
            }
            return page
        }
    }

    /// Returns the id before which a search goes on that has not filled a page.
    private static func end(
        ofSearchBefore before: Int64,
        _ rows: PostgresRows,
        limit: Int,
        in connection: PostgresConnection
    ) throws -> MessageID? {
        // Some of the rows were not shown; there may be more behind them.
        if rows.count > limit { return rows.last.map { MessageID($0.int64(0)) } }
        let end = try connection.execute(
            """
            SELECT min(id), count(*) FROM (SELECT id FROM message WHERE id < $1 ORDER BY id DESC LIMIT $2) AS searched
            """,
            .int64(before),
            .int64(searchedRows)
        )
        guard let row = end.first, row.int64(1) == searchedRows else { return nil }
        return row.optionalInt64(0).map { MessageID($0) }
    }

    /// Returns the pushes in a row, the newest first.
    private static func entries(of row: Int64, in connection: PostgresConnection) throws -> [MessagePage.Entry] {
        guard let message = try StoredMessage.readable(row, in: connection),
            // It is listed as the push that it came with.
            try origin(ofVoIPPush: message.id, in: connection) == nil
        else { return [] }
        guard let batch = message.batch else {
            guard try deletion(of: message.id, app: message.app, in: connection) == nil else { return [] }
            let waiting = try connection.execute(
                "SELECT EXISTS (SELECT 1 FROM anyChunk WHERE message = $1 AND NOT isDone)",
                .int64(row)
            )
            return [MessagePage.Entry(message: message, isWaiting: waiting.first?.bool(0) == true)]
        }
        let chunks = try Chunk.read("FROM anyChunk WHERE message = $1 ORDER BY number", [row], in: connection)
            .map(\.chunk)
        return try batch.entries.indices.reversed().compactMap { place in
            let message = batch.message(at: place)
            guard try deletion(of: message.id, app: message.app, in: connection) == nil else { return nil }
            let parts = parts(of: chunks, at: place, ordinal: batch.entries[place].ordinal, message.id)
            return MessagePage.Entry(message: message, isWaiting: parts.contains { !$0.isDone })
        }
    }

    package func message(_ id: MessageID, of app: App.ID) async throws -> (message: Message, chunks: [Chunk])? {
        try await read { connection in
            guard let row = try MessageRow.find(id, in: connection), row.app == app,
                try Self.deletion(of: id, app: app, in: connection) == nil,
                let host = try StoredMessage.readable(row.id, in: connection)
            else { return nil }
            let chunks = try Chunk.read("FROM anyChunk WHERE message = $1 ORDER BY number", [row.id], in: connection)
                .map(\.chunk)
            guard let place = row.place, let batch = host.batch else { return (host, chunks) }
            let ordinal = batch.entries[place].ordinal
            return (batch.message(at: place), Self.parts(of: chunks, at: place, ordinal: ordinal, id))
        }
    }

    /// Returns the parts of a batch's chunks for one of its pushes.
    private static func parts(
        of chunks: [Chunk],
        at place: Int,
        ordinal: DeviceOrdinal,
        _ message: MessageID
    ) -> [Chunk] {
        chunks.compactMap { chunk in
            guard chunk.kind == .retry else { return chunk.part(at: place, of: message) }
            return chunk.ordinals.place(of: ordinal).map { chunk.part(at: $0, of: message) }
        }
    }
}
