package import Foundation
package import PushModel
package import PushService

/// The number of rows in a search for the pushes of an app: some hundredths of a second.
private let searchedRows: Int64 = 20_000

extension SQLStore {
    package func knowsMessage(_ id: MessageID, app: App.ID, since date: Date) async throws -> Bool {
        try await query { session in
            guard let row = try MessageRow.find(id, in: session) else { return false }
            return row.app == app && row.acceptedAt >= date.milliseconds
        }
    }

    package func messages(of app: App.ID, before id: MessageID?, limit: Int) async throws -> MessagePage {
        try await query { session in
            var page = MessagePage()
            let before = id?.number ?? Int64.max
            // The database searches; the rows that it passes over stay there.
            let rows = try session.rows(
                """
                WITH searched AS (SELECT id, app FROM message WHERE id < \(before) ORDER BY id DESC LIMIT
                    \(searchedRows))
                SELECT id FROM searched
                WHERE app = \(app) ORDER BY id DESC LIMIT \(limit + 1)
                """
            ) { $0.int64(0) }
            for row in rows {
                // A batch may have more pushes than the page takes.
                guard page.messages.count < limit else { break }
                let entries = try Self.entries(of: row, in: session)
                for entry in entries where id.map({ entry.message.id < $0 }) ?? true {
                    guard page.messages.count < limit else { break }
                    page.messages.append(entry)
                }
            }
            if page.messages.count == limit {
                page.next = page.messages.last?.message.id
            } else {
                page.next = try Self.end(ofSearchBefore: before, rows, limit: limit, in: session)
            }
            return page
        }
    }

    /// Returns the id before which a search goes on that has not filled a page.
    private static func end(
        ofSearchBefore before: Int64,
        _ rows: [Int64],
        limit: Int,
        in session: any SQLSession
    ) throws -> MessageID? {
        // Some of the rows were not shown; there may be more behind them.
        if rows.count > limit { return rows.last.map { MessageID($0) } }
        return try session.first(
            """
            SELECT min(id), count(*) FROM (SELECT id FROM message WHERE id < \(before) ORDER BY id DESC LIMIT
                \(searchedRows)) AS searched
            """
        ) { row in row.int64(1) == searchedRows ? row.message(0) : nil } ?? nil
    }

    /// Returns the pushes in a row, the newest first.
    private static func entries(of row: Int64, in session: any SQLSession) throws -> [MessagePage.Entry] {
        guard let message = try Message.readable(row, in: session),
            // It is listed as the push that it came with.
            try origin(ofVoIPPush: message.id, in: session) == nil
        else { return [] }
        guard let batch = message.batch else {
            guard try deletion(of: message.id, app: message.app, in: session) == nil else { return [] }
            let isWaiting = try session.first(
                "SELECT EXISTS (SELECT 1 FROM anyChunk WHERE message = \(row) AND NOT isDone)"
            ) { $0.bool(0) }
            return [MessagePage.Entry(message: message, isWaiting: isWaiting == true)]
        }
        let chunks = try chunks(of: row, in: session)
        return try batch.entries.indices.reversed().compactMap { place in
            let message = message.message(at: place)
            guard try deletion(of: message.id, app: message.app, in: session) == nil else { return nil }
            let alone = alone(of: chunks, at: place, ordinal: batch.entries[place].ordinal, message.id)
            return MessagePage.Entry(message: message, isWaiting: alone.contains { !$0.isDone })
        }
    }

    private static func chunks(of row: Int64, in session: any SQLSession) throws -> [Chunk] {
        try Chunk.read("FROM anyChunk WHERE message = \(row) ORDER BY number", in: session).map(\.chunk)
    }

    package func message(_ id: MessageID, of app: App.ID) async throws -> (message: Message, chunks: [Chunk])? {
        try await query { session in
            guard let row = try MessageRow.find(id, in: session), row.app == app,
                try Self.deletion(of: id, app: app, in: session) == nil,
                let host = try Message.readable(row.id, in: session)
            else { return nil }
            let chunks = try Self.chunks(of: row.id, in: session)
            guard let place = row.place, let batch = host.batch else { return (host, chunks) }
            let ordinal = batch.entries[place].ordinal
            return (host.message(at: place), Self.alone(of: chunks, at: place, ordinal: ordinal, id))
        }
    }

    /// Returns the chunks that a push of a batch would have if it had come alone.
    private static func alone(
        of chunks: [Chunk],
        at place: Int,
        ordinal: DeviceOrdinal,
        _ message: MessageID
    ) -> [Chunk] {
        chunks.compactMap { chunk in
            guard chunk.kind == .retry else { return chunk.alone(at: place, of: message) }
            return chunk.ordinals.place(of: ordinal).map { chunk.alone(at: $0, of: message) }
        }
    }
}
