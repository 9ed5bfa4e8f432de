package import Foundation
import PushModel
package import PushService

// The log of custom messages. Positions follow the order of commits: after a position has been read, nothing new appears before it.
extension SQLStore {
    package func lastCustomMessage() async throws -> Int64 { try await queryOnce { try $0.lastPosition() } }

    package func customMessages(
        after position: Int64,
        limit: Int,
        audiencesOf apps: Set<App.ID>
    ) async throws -> [CustomMessageRecord] {
        try await query { session in
            let found = try session.rows(
                """
                SELECT position, customMessage.app, customMessage.message, body, lastID FROM customMessage
                JOIN message ON message.id = customMessage.message WHERE position > \(position) ORDER BY position LIMIT \(limit)
                """
            ) { LoggedMessage($0) }
            return try session.customMessages(found, audiencesOf: apps)
        }
    }

    package func deleteCustomMessages(expiredBefore date: Date, limit: Int) async throws -> Bool {
        try await execute(
            """
            DELETE FROM customMessage WHERE position IN (
                SELECT position FROM customMessage WHERE expiresAt < \(date) LIMIT \(limit)
            )
            """
        ) == limit
    }

    // MARK: - The messages for a device at login, and those that it has not received yet on its link

    package func waitingMessages(
        of device: DeviceID,
        acknowledgedThrough acknowledged: Int64,
        keptThrough kept: Int64?,
        limit: Int,
        at now: Date
    ) async throws -> WaitingMessages {
        try await query { session in
            let cursor = max(acknowledged, try session.cursor(of: device))
            let through = try session.lastPosition()
            // A cursor cannot be beyond what was sent.
            let kept = max(cursor, min(kept ?? 0, through))
            var had: [MessageID] = []
            if kept > cursor {
                let search = LogSearch(device: device, range: cursor + 1...kept, now: nil, limit: keptAtOnce)
                had = try search.find(in: session).map(\.message)
            }
            var found: [CustomMessageRecord] = []
            if limit > 0, kept < through {
                let search = LogSearch(device: device, range: kept + 1...through, now: now, limit: limit)
                found = try search.find(in: session)
            }
            for index in found.indices { try session.read(&found[index], to: device) }
            return WaitingMessages(messages: found.reversed(), kept: had, through: through)
        }
    }

    package func heldMessages(
        of device: DeviceID,
        after position: Int64,
        limit: Int,
        at now: Date
    ) async throws -> HeldMessages {
        try await query { session in
            let end = try session.lastPosition()
            guard position < end else { return HeldMessages(messages: [], through: end, isAll: true) }
            var search = LogSearch(device: device, range: position + 1...end, now: now, limit: limit)
            search.isOldestFirst = true
            var found = try search.find(in: session)
            for index in found.indices { try session.read(&found[index], to: device) }
            let isAll = found.count < limit
            return HeldMessages(messages: found, through: isAll ? end : found.last?.position ?? end, isAll: isAll)
        }
    }
}

extension SQLSession {
    /// Returns the last position, including those of deleted messages.
    package func lastPosition() throws -> Int64 { try number("\(raw: dialect.lastCustomMessage)") }

    /// Reads a message for each row of the log, with the audiences of some apps.
    package func customMessages(_ rows: [LoggedMessage], audiencesOf apps: Set<App.ID>) throws -> [CustomMessageRecord]
    {
        try rows.map { row in
            var record = row.record
            guard apps.contains(record.app) else { return record }
            if !row.isBatch {
                record.audience = try audience(of: record.message)
            } else {
                // A damaged message does not block others.
                do { record.batch = try batch(record.message) } catch is CorruptRow {
                    record.isUnreadable = true
                }
            }
            return record
        }
    }

    /// Returns the rest of a batch of custom messages.
    fileprivate func batch(_ id: MessageID) throws -> MessageBatch? {
        let settled = try first("SELECT settled FROM chunk WHERE message = \(id)") { $0.places(0) }
        guard var batch = try Message.stored(id.number, in: self)?.batch, let settled else { return nil }
        batch.entries = batch.entries.enumerated().filter { !settled.contains($0.offset) }.map(\.element)
        return batch
    }

    fileprivate func audience(of message: MessageID) throws -> [OrdinalList] {
        try rows(
            "SELECT ordinals FROM chunk WHERE message = \(message) AND kind IN ('message', 'inApp') ORDER BY number"
        ) { $0.ordinals(0) }
    }

    /// Adds the message's content; in a batch, that of the push to the device. A damaged message adds nothing.
    fileprivate func read(_ record: inout CustomMessageRecord, to device: DeviceID) throws {
        let found: Message?
        do { found = try Message.stored(record.logged.number, in: self) } catch is CorruptRow { return }
        guard var message = found else { return }
        if let place = message.batch?.place(of: device.ordinal) { message = message.message(at: place) }
        record.message = message.id
        record.body = message.body
        record.isImmediate = message.lane.delivery == .immediate
    }

    func cursor(of device: DeviceID) throws -> Int64 {
        try number("SELECT position FROM messageCursor WHERE app = \(device.app) AND ordinal = \(device.ordinal)")
    }
}

/// A row of the log with its message.
package struct LoggedMessage {
    var record: CustomMessageRecord
    var isBatch: Bool

    /// Reads position, app and message, its body, and the last id of a batch.
    package init(_ row: any SQLRow) {
        record = CustomMessageRecord(row)
        record.body = row.bytes(3)
        isBatch = !row.isNull(4)
    }
}

extension CustomMessageRecord {
    /// Reads position, app and message, in this order.
    init(_ row: any SQLRow) { self.init(position: row.int64(0), message: row.message(2), app: row.app(1), body: []) }
}

/// The number of messages that a device may list at login, beyond those that it acknowledged.
private let keptAtOnce = 1000

/// A search for the messages to a device in a range of the log.
private struct LogSearch {
    var device: DeviceID
    var range: ClosedRange<Int64>
    /// Excludes messages that have expired by then.
    var now: Date?
    /// The maximum number of messages.
    var limit: Int
    var isOldestFirst = false

    /// The number of rows that are read at a time: each one to several devices is checked.
    private static let page = 256

    func find(in session: any SQLSession) throws -> [CustomMessageRecord] {
        var found: [CustomMessageRecord] = []
        var rest = range
        while true {
            let rows = try page(of: rest, in: session)
            for row in rows {
                guard try row.isForOne || isMeant(row.record.logged.number, in: session) else { continue }
                found.append(row.record)
                if found.count == limit { return found }
            }
            guard rows.count == Self.page, let last = rows.last?.record.position else { return found }
            if isOldestFirst {
                guard last < rest.upperBound else { return found }
                rest = last + 1...rest.upperBound
            } else {
                guard last > rest.lowerBound else { return found }
                rest = rest.lowerBound...last - 1
            }
        }
    }

    /// Messages to a single device are found by its ordinal.
    private func page(
        of range: ClosedRange<Int64>,
        in session: any SQLSession
    ) throws -> [(record: CustomMessageRecord, isForOne: Bool)] {
        let messages: SQLStatement =
            "SELECT position, app, message, onlyOrdinal FROM customMessage WHERE app = \(device.app)"
        let range: SQLStatement =
            """
            position BETWEEN \(range.lowerBound) AND \(range.upperBound)
            AND expiresAt > \(now?.milliseconds ?? Int64.min)
            """
        return try session.rows(
            """
            \(messages) AND onlyOrdinal = \(device.ordinal) AND \(range)
            UNION ALL \(messages) AND onlyOrdinal IS NULL AND \(range)
            ORDER BY position \(raw: isOldestFirst ? "ASC" : "DESC") LIMIT \(Self.page)
            """
        ) { (CustomMessageRecord($0), !$0.isNull(3)) }
    }

    /// Returns whether the message is for the device and was not withdrawn from it.
    private func isMeant(_ message: Int64, in session: any SQLSession) throws -> Bool {
        try session.chunks(with: [device.ordinal], of: Chunk.Kind.allCases.filter(\.isForLinks), in: message)
            .contains { chunk in chunk.places.contains { !chunk.settled.contains($0.place) } }
    }
}
