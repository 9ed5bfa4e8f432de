import Foundation
import GRDB
package import PushModel
package import PushService

extension SQLiteStore {
    package func counts(of messages: [MessageID], app: App.ID) async throws -> [MessageID: MessageCounts] {
        try await read { database in
            var counts: [MessageID: MessageCounts] = [:]
            for message in messages where try Self.has(message, app, in: database) {
                counts[message] = try Self.counts(of: message, in: database)
                if let voip = try Self.voipPush(of: message, in: database) {
                    counts[message]?.isForVoIP = voip == message
                    if voip != message {
                        counts[message]?.voip = MessageCounts.VoIP(try Self.counts(of: voip, in: database))
                    }
                } else if counts[message]?.target ?? 0 > 0 {
                    counts[message]?.isForLiveActivities = try Self.isForLiveActivities(message, in: database)
                }
            }
            return counts
        }
    }

    private static func isForLiveActivities(_ message: MessageID, in database: Database) throws -> Bool {
        let body = try Data.fetchOne(
            try database.cachedStatement(sql: "SELECT body FROM message WHERE id = ?"),
            arguments: [message.number]
        )
        // Most pushes need not be parsed.
        guard let body, body.range(of: Data("\"live_activity\"".utf8)) != nil else { return false }
        return (try? JSONValue(parsing: Array(body)))?.object?["live_activity"] != nil
    }

    /// Returns whether the message exists; one that is being deleted counts as gone.
    private static func has(_ message: MessageID, _ app: App.ID, in database: Database) throws -> Bool {
        guard let row = try MessageRow.find(message, in: database), row.app == app else { return false }
        return try deletion(of: message, app: app, in: database) == nil
    }

    private static func counts(of message: MessageID, in database: Database) throws -> MessageCounts {
        var counts = MessageCounts()
        let host = try MessageRow.find(message, in: database)
        var links: [Int: WritableKeyPath<MessageCounts, MessageCounts.Custom>] = [:]
        var isCustom = false
        let chunks = try Row.fetchCursor(
            try database.cachedStatement(sql: "SELECT number, kind, ordinals, sent FROM anyChunk WHERE message = ?"),
            arguments: [host?.id ?? message.number]
        )
        while let row = try chunks.next() {
            switch row["kind"] as String {
            case Chunk.Kind.send.rawValue:
                if let place = host?.place {
                    counts.target += 1
                    counts.sent += PlaceSet(bytes: Array(row["sent"] as Data)).contains(place) ? 1 : 0
                } else {
                    counts.target += OrdinalList.count(packed: row["ordinals"] as Data)
                    counts.sent += (row["sent"] as Data).bitCount
                }
            case Chunk.Kind.message.rawValue:
                isCustom = true
                counts.custom.target += host?.place == nil ? OrdinalList.count(packed: row["ordinals"] as Data) : 1
                links[row["number"]] = \.custom
            case Chunk.Kind.inApp.rawValue:
                counts.inApp.target += OrdinalList.count(packed: row["ordinals"] as Data)
                links[row["number"]] = \.inApp
            default: break
            }
        }
        // Reports of a custom message in a batch are stored for the batch.
        let place = isCustom ? host?.place : nil
        let reports = try Row.fetchCursor(
            try database.cachedStatement(
                sql: "SELECT number, received, displayed, clicked FROM chunkReport WHERE message = ?"
            ),
            arguments: [place == nil ? message.number : host?.id]
        )
        func count(_ bits: Data) -> Int {
            place.map { PlaceSet(bytes: Array(bits)).contains($0) ? 1 : 0 } ?? bits.bitCount
        }
        while let row = try reports.next() {
            let received = count(row["received"])
            let displayed = count(row["displayed"])
            let clicked = count(row["clicked"])
            if let part = links[row["number"]] {
                counts[keyPath: part].received += received
                counts[keyPath: part].displayed += displayed
                counts[keyPath: part].clicked += clicked
            } else {
                counts.received += received
                counts.displayed += displayed
                counts.clicked += clicked
            }
        }
        return counts
    }

    package func deliveries(
        of message: MessageID,
        app: App.ID,
        to ordinals: [DeviceOrdinal]
    ) async throws -> [DeviceOrdinal: Bool] {
        try await read { database in
            guard try Self.has(message, app, in: database) else { return [:] }
            var deliveries: [DeviceOrdinal: Bool] = [:]
            for (chunk, places) in try Self.places(of: ordinals, in: message, nil, database) {
                let received = try Data.fetchOne(
                    database,
                    sql: "SELECT received FROM chunkReport WHERE message = ? AND number = ?",
                    arguments: [chunk.message.number, chunk.number]
                )
                let set = PlaceSet(bytes: received.map { Array($0) } ?? [])
                for (ordinal, place) in places {
                    deliveries[ordinal] = deliveries[ordinal] == true || set.contains(place)
                }
            }
            return deliveries
        }
    }

    /// Returns the places of devices in the chunks under which reports of a message are stored.
    ///
    /// Without a part, all chunks are included except retries and those of the in-app message, which repeats the
    /// notification.
    private static func places(
        of ordinals: [DeviceOrdinal],
        in message: MessageID,
        _ part: PushPart?,
        _ database: Database
    ) throws -> [Chunk.ID: [(ordinal: DeviceOrdinal, place: Int)]] {
        var found: [Chunk.ID: [(ordinal: DeviceOrdinal, place: Int)]] = [:]
        guard !ordinals.isEmpty else { return found }
        let host = try MessageRow.find(message, in: database)
        let chunks = try ChunkPlaces(of: host?.id ?? message.number, in: database)
        let ordinals = ordinals.sorted()
        for kind in Chunk.Kind.allCases where part.map({ $0.kind == kind }) ?? (kind != .inApp && kind != .retry) {
            for (chunk, inside) in try chunks.find(ordinals, kind) {
                var places = inside
                var id = Chunk.ID(message: message, number: chunk.number)
                if let host, let place = host.place {
                    places = places.filter { $0.place == place }
                    if kind == .message {
                        // Links acknowledge all messages of a batch together.
                        id.message = MessageID(host.id)
                    } else {
                        // Reports of a notification in a batch are stored for that push alone.
                        places = places.map { ($0.ordinal, 0) }
                    }
                }
                if !places.isEmpty { found[id] = places }
            }
        }
        return found
    }

    /// Sets the bits that correspond to reports of devices.
    static func count(_ reports: [JourneyEntry], in database: Database) throws {
        for (message, reports) in Dictionary(grouping: reports, by: \.message) {
            var bits: [DeviceOrdinal: ReceiptBits] = [:]
            var last = Date.distantPast
            for report in reports {
                let said = ReceiptBits(report.event.kind)
                guard !said.isEmpty else { continue }
                bits[report.ordinal, default: []].formUnion(said)
                last = max(last, report.event.date)
            }
            try count(bits, of: message, .notification, at: last, in: database)
        }
    }

    /// Sets the bits of devices in a message's chunks of one part.
    ///
    /// - Returns: whether any of the devices is in any of them.
    @discardableResult
    static func count(
        _ bits: [DeviceOrdinal: ReceiptBits],
        of message: MessageID,
        _ part: PushPart,
        at date: Date,
        in database: Database
    ) throws -> Bool {
        let places = try places(of: Array(bits.keys), in: message, part, database)
        for (chunk, places) in places {
            try count(places.map { ($0.place, bits[$0.ordinal] ?? []) }, at: date, in: chunk, database)
        }
        return !places.isEmpty
    }

    /// A part of a push that a device receives and reports by itself.
    enum PushPart {
        case notification
        case message
        case inApp

        var kind: Chunk.Kind {
            switch self {
            case .notification: .send
            case .message: .message
            case .inApp: .inApp
            }
        }
    }

    static func count(
        _ said: [(place: Int, bits: ReceiptBits)],
        at date: Date,
        in chunk: Chunk.ID,
        _ database: Database
    ) throws {
        let row = try Row.fetchOne(
            try database.cachedStatement(sql: "SELECT * FROM chunkReport WHERE message = ? AND number = ?"),
            arguments: [chunk.message.number, chunk.number]
        )
        func before(_ column: String) -> PlaceSet {
            PlaceSet(bytes: row.map { Array($0[column] as Data) } ?? [])
        }
        func isKnown(_ column: String, _ bit: ReceiptBits) -> Bool {
            let set = before(column)
            return said.allSatisfy { !$0.bits.contains(bit) || set.contains($0.place) }
        }
        // A repeated report costs no write.
        guard !isKnown("received", .received) || !isKnown("displayed", .displayed) || !isKnown("clicked", .clicked)
        else { return }
        if let notes = try CallbackNotes(chunk.message.number, in: database) {
            let (received, clicked) = (before("received"), before("clicked"))
            try note(
                said.filter { $0.bits.contains(.received) && !received.contains($0.place) }.map(\.place),
                .delivered
            )
            try note(said.filter { $0.bits.contains(.clicked) && !clicked.contains($0.place) }.map(\.place), .clicked)
            func note(_ places: [Int], _ kind: PushCallback.Kind) throws {
                guard !places.isEmpty, notes.wants(kind) else { return }
                try Self.note(kind, at: places, of: chunk, in: notes, date: date, database)
            }
        }
        func set(_ column: String, _ bit: ReceiptBits) -> Data {
            var set = before(column)
            for (place, bits) in said where bits.contains(bit) { set.insert(place) }
            return Data(set.bytes)
        }
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO chunkReport (message, number, received, displayed, clicked, at)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            chunk.message.number, chunk.number, set("received", .received), set("displayed", .displayed),
            set("clicked", .clicked), max(row?["at"] ?? Int64.min, date.milliseconds),
        ])
    }
}

extension SQLiteStore {
    /// Writes a report of the devices at some places of a chunk for the callback of its message.
    fileprivate static func note(
        _ kind: PushCallback.Kind,
        at places: [Int],
        of chunk: Chunk.ID,
        in notes: CallbackNotes,
        date: Date,
        _ database: Database
    ) throws {
        let statement = try database.cachedStatement(
            sql: "SELECT kind, ordinals FROM anyChunk WHERE message = ? AND number = ?"
        )
        guard let row = try Row.fetchOne(statement, arguments: [chunk.message.number, chunk.number]),
            let chunkKind = Chunk.Kind(rawValue: row["kind"])
        else { return }
        let all = OrdinalList(packed: row["ordinals"] as Data).ordinals
        let ordinals = places.sorted().compactMap { all.indices.contains($0) ? all[$0] : nil }
        try notes.add(kind, of: ordinals, in: chunkKind, at: date.milliseconds, database)
    }
}

extension Data {
    var bitCount: Int { reduce(0) { $0 + $1.nonzeroBitCount } }
}
