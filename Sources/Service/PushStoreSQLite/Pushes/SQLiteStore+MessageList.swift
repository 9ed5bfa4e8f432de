import Foundation
import GRDB
package import PushModel
package import PushService

extension SQLiteStore {
    /// The number of rows in a search for the pushes of an app: some hundredths of a second.
    private static let searchedRows = 20_000

    package func messages(of app: App.ID, before id: MessageID?, limit: Int) async throws -> MessagePage {
        try await read { database in
            var page = MessagePage()
            var last = id?.number ?? Int64.max
            let rows = try Row.fetchCursor(
                database.cachedStatement(sql: "SELECT id, app FROM message WHERE id < ? ORDER BY id DESC LIMIT ?"),
                arguments: [last, Self.searchedRows]
            )
            var searched = 0
            while let row = try rows.next() {
                // A batch may have more pushes than the page takes.
                guard page.messages.count < limit else {
                    page.next = page.messages.last?.message.id
                    return page
                }
                searched += 1
                last = row["id"]
                guard row["app"] == app else { continue }
                for entry in try Self.entries(of: last, in: database) where id.map({ entry.message.id < $0 }) ?? true {
                    guard page.messages.count < limit else { break }
                    page.messages.append(entry)
                }
            }
            if page.messages.count == limit {
                page.next = page.messages.last?.message.id
            } else if searched == Self.searchedRows {
                page.next = MessageID(last)
            }
            return page
        }
    }

    /// Returns the pushes in a row, the newest first.
    private static func entries(of row: Int64, in database: Database) throws -> [MessagePage.Entry] {
        guard let message = try readable(row, in: database),
            // It is listed as the push that it came with.
            try origin(ofVoIPPush: message.id, in: database) == nil
        else { return [] }
        guard let batch = message.batch else {
            guard try deletion(of: message.id, app: message.app, in: database) == nil else { return [] }
            let isWaiting = try Bool.fetchOne(
                database.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM anyChunk WHERE message = ? AND isDone = 0)"
                ),
                arguments: [row]
            )
            return [MessagePage.Entry(message: message, isWaiting: isWaiting == true)]
        }
        let chunks = try chunks("FROM anyChunk WHERE message = ?", [row], in: database).map(\.chunk)
        return try batch.entries.indices.reversed().compactMap { place in
            let message = batch.message(at: place)
            guard try deletion(of: message.id, app: message.app, in: database) == nil else { return nil }
            let parts = parts(of: chunks, at: place, ordinal: batch.entries[place].ordinal, message.id)
            return MessagePage.Entry(message: message, isWaiting: parts.contains { !$0.isDone })
        }
    }

    /// Returns the message of a row with its pushes; nil if there is none. A damaged batch counts as a push without pushes.
    private static func readable(_ row: Int64, in database: Database) throws -> Message? {
        guard var stored = try StoredMessage.read(row, in: database) else { return nil }
        do { try stored.addPushes(in: database) } catch is CorruptRow {}
        return stored.message
    }

    package func message(_ id: MessageID, of app: App.ID) async throws -> (message: Message, chunks: [Chunk])? {
        try await read { database in
            guard let row = try MessageRow.find(id, in: database), row.app == app,
                try Self.deletion(of: id, app: app, in: database) == nil,
                let host = try Self.readable(row.id, in: database)
            else { return nil }
            let chunks = try Self.chunks("FROM anyChunk WHERE message = ?", [row.id], in: database).map(\.chunk)
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
