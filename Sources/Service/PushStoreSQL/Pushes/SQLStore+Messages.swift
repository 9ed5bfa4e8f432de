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
            let rows = try session.numbers(
                """
                WITH searched AS (SELECT id, app FROM message WHERE id < \(before) ORDER BY id DESC LIMIT \(searchedRows))
                SELECT id FROM searched
                WHERE app = \(app) ORDER BY id DESC LIMIT \(limit + 1)
                """
            )
            for row in rows {
                // A batch may have more pushes than the page takes.
                guard page.messages.count < limit else { break }
                let entries = try session.entries(of: row)
                for entry in entries where id.map({ entry.message.id < $0 }) ?? true {
                    guard page.messages.count < limit else { break }
                    page.messages.append(entry)
                }
            }
            if page.messages.count == limit {
                page.next = page.messages.last?.message.id
            } else {
                page.next = try session.end(ofSearchBefore: before, rows, limit: limit)
            }
            return page
        }
    }

    package func message(_ id: MessageID, of app: App.ID) async throws -> (message: Message, chunks: [Chunk])? {
        try await query { try $0.message(id, of: app) }
    }

    // MARK: - VoIP pushes: messages of their own, each bound to the push that it came with

    package func voipPush(of message: MessageID) async throws -> MessageID? {
        try await queryOnce { try $0.voipPush(of: message) }
    }

    package func origin(ofVoIPPush message: MessageID) async throws -> MessageID? {
        try await queryOnce { try $0.origin(ofVoIPPush: message) }
    }
}

extension SQLSession {
    func message(_ id: MessageID, of app: App.ID) throws -> (message: Message, chunks: [Chunk])? {
        guard let row = try MessageRow.find(id, in: self), row.app == app, try deletion(of: id, app: app) == nil,
            let host = try Message.readable(row.id, in: self)
        else { return nil }
        let chunks = try chunks(of: row.id)
        guard let place = row.place, let batch = host.batch else { return (host, chunks) }
        let ordinal = batch.entries[place].ordinal
        return (host.message(at: place), chunks.alone(at: place, ordinal: ordinal, of: id))
    }

    /// Returns the id before which a search goes on that has not filled a page.
    fileprivate func end(ofSearchBefore before: Int64, _ rows: [Int64], limit: Int) throws -> MessageID? {
        // Some of the rows were not shown; there may be more behind them.
        if rows.count > limit { return rows.last.map { MessageID($0) } }
        return try first(
            "SELECT min(id), count(*) FROM (SELECT id FROM message WHERE id < \(before) ORDER BY id DESC LIMIT \(searchedRows)) AS searched"
        ) { row in row.int64(1) == searchedRows ? row.message(0) : nil } ?? nil
    }

    /// Returns the pushes in a row, the newest first.
    fileprivate func entries(of row: Int64) throws -> [MessagePage.Entry] {
        guard let message = try Message.readable(row, in: self),
            // It is listed as the push that it came with.
            try origin(ofVoIPPush: message.id) == nil, message.takesBack == nil
        else { return [] }
        guard let batch = message.batch else {
            guard try deletion(of: message.id, app: message.app) == nil else { return [] }
            let isWaiting = try first(
                "SELECT EXISTS (SELECT 1 FROM anyChunk WHERE message = \(row) AND NOT isDone)"
            ) { $0.bool(0) }
            return [MessagePage.Entry(message: message, isWaiting: isWaiting == true)]
        }
        let chunks = try chunks(of: row)
        return try batch.entries.indices.reversed().compactMap { place in
            let message = message.message(at: place)
            guard try deletion(of: message.id, app: message.app) == nil else { return nil }
            let alone = chunks.alone(at: place, ordinal: batch.entries[place].ordinal, of: message.id)
            return MessagePage.Entry(message: message, isWaiting: alone.contains { !$0.isDone })
        }
    }

    fileprivate func chunks(of row: Int64) throws -> [Chunk] {
        try Chunk.read("FROM anyChunk WHERE message = \(row) ORDER BY number", in: self).map(\.chunk)
    }

    func voipPush(of message: MessageID) throws -> MessageID? {
        try first("SELECT voip FROM voipPush WHERE message = \(message)") { $0.message(0) }
    }

    /// Returns the push that a VoIP push stands beside; nil if the message is no VoIP push, or stands alone.
    func origin(ofVoIPPush message: MessageID) throws -> MessageID? {
        try first("SELECT message FROM voipPush WHERE voip = \(message) AND message <> \(message)") { $0.message(0) }
    }
}

extension [Chunk] {
    /// Returns the chunks that a push of a batch would have if it had come alone.
    fileprivate func alone(at place: Int, ordinal: DeviceOrdinal, of message: MessageID) -> [Chunk] {
        compactMap { chunk in
            guard chunk.kind == .retry else { return chunk.alone(at: place, of: message) }
            return chunk.ordinals.place(of: ordinal).map { chunk.alone(at: $0, of: message) }
        }
    }
}
