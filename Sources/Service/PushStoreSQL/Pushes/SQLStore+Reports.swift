package import Foundation
package import PushModel
package import PushService

extension SQLStore {
    package func counts(of messages: [MessageID], app: App.ID) async throws -> [MessageID: MessageCounts] {
        try await query { session in
            var counts: [MessageID: MessageCounts] = [:]
            for message in messages where try session.has(message, app) {
                counts[message] = try session.counts(of: message)
                if let voip = try session.voipPush(of: message) {
                    counts[message]?.isForVoIP = voip == message
                    if voip != message { counts[message]?.voip = try session.counts(of: voip).apns }
                } else if counts[message]?.target ?? 0 > 0 {
                    counts[message]?.isForLiveActivities = try session.isForLiveActivities(message)
                }
            }
            return counts
        }
    }

    package func receipts(
        of message: MessageID,
        app: App.ID,
        to ordinals: [DeviceOrdinal]
    ) async throws -> [DeviceOrdinal: ReceiptBits] {
        try await query { session in
            guard try session.has(message, app) else { return [:] }
            var receipts: [DeviceOrdinal: ReceiptBits] = [:]
            for (chunk, places) in try session.places(of: ordinals, in: message, nil) {
                let sets = try session.first(
                    "SELECT received, displayed, clicked FROM chunkReport WHERE message = \(chunk.message) AND number = \(chunk.number)"
                ) { row in [row.places(0), row.places(1), row.places(2)] }
                for (ordinal, place) in places {
                    var bits = receipts[ordinal] ?? []
                    for (set, bit) in zip(sets ?? [], [ReceiptBits.received, .displayed, .clicked])
                    where set.contains(place) {
                        bits.insert(bit)
                    }
                    receipts[ordinal] = bits
                }
            }
            return receipts
        }
    }

    package func reach(of message: MessageID, app: App.ID) async throws -> [ChunkReach] {
        try await query { try $0.reach(of: message, app: app) }
    }

    package func openers(
        of app: App.ID,
        since date: Date,
        after id: MessageID,
        limit: Int
    ) async throws -> (devices: [[DeviceOrdinal]], next: MessageID?) {
        try await query { session in
            let messages = try session.rows(
                """
                SELECT DISTINCT message FROM chunkReport WHERE message > \(id) AND clicked <> \(.bytes([]))
                ORDER BY message LIMIT \(limit)
                """
            ) { $0.message(0) }
            let devices = try messages.flatMap { message -> [[DeviceOrdinal]] in
                guard let host = try MessageRow.find(message, in: session), host.app == app,
                    host.acceptedAt >= date.milliseconds
                else { return [] }
                return try session.reach(of: message, in: host).map { reach in
                    reach.ordinals.indices.filter(reach.clicked.contains).map { reach.ordinals[$0] }
                }
            }
            return (devices, messages.count < limit ? nil : messages.last)
        }
    }
}

extension SQLSession {
    func reach(of message: MessageID, app: App.ID) throws -> [ChunkReach] {
        guard let host = try MessageRow.find(message, in: self), host.app == app,
            try deletion(of: message, app: app) == nil
        else { return [] }
        return try reach(of: message, in: host)
    }

    /// Returns the devices of a message by chunk, without those of retries, which repeat some.
    fileprivate func reach(of message: MessageID, in host: MessageRow) throws -> [ChunkReach] {
        // Links acknowledge all messages of a batch together; other pushes of a batch have reports of their own.
        try rows(
            """
            SELECT kind, anyChunk.ordinals, sent, received, displayed, clicked FROM anyChunk
            LEFT JOIN chunkReport ON chunkReport.number = anyChunk.number AND chunkReport.message =
                CASE kind WHEN \(Chunk.Kind.message.rawValue) THEN \(host.id) ELSE \(message) END
            WHERE anyChunk.message = \(host.id) ORDER BY anyChunk.number
            """
        ) { row in
            guard let kind = Chunk.Kind(rawValue: row.text(0)), [.send, .message, .inApp].contains(kind) else {
                return nil
            }
            var reach = ChunkReach(kind: kind, ordinals: row.ordinals(1).ordinals, sent: row.places(2))
            if row.optionalBytes(3) != nil {
                reach.received = row.places(3)
                reach.displayed = row.places(4)
                reach.clicked = row.places(5)
            }
            guard let place = host.place else { return reach }
            guard place < reach.ordinals.count else { return nil }
            func alone(_ set: PlaceSet, at place: Int) -> PlaceSet { PlaceSet(set.contains(place) ? [0] : []) }
            reach.ordinals = [reach.ordinals[place]]
            reach.sent = alone(reach.sent, at: place)
            if kind == .message { reach.received = alone(reach.received, at: place) }
            return reach
        }.compactMap(\.self)
    }

    fileprivate func isForLiveActivities(_ message: MessageID) throws -> Bool {
        let body = try first("SELECT body FROM message WHERE id = \(message)") { $0.bytes(0) }
        // Most pushes need not be parsed.
        guard let body, Data(body).range(of: Data("\"live_activity\"".utf8)) != nil else { return false }
        return (try? JSONValue(parsing: body))?.object?["live_activity"] != nil
    }

    /// Returns whether the message exists; one that is being deleted counts as gone.
    fileprivate func has(_ message: MessageID, _ app: App.ID) throws -> Bool {
        guard let row = try MessageRow.find(message, in: self), row.app == app else { return false }
        return try deletion(of: message, app: app) == nil
    }

    fileprivate func counts(of message: MessageID) throws -> MessageCounts {
        var counts = MessageCounts()
        let host = try MessageRow.find(message, in: self)
        var links: [Int64: WritableKeyPath<MessageCounts, DeliveryCounts>] = [:]
        var isCustom = false
        let row = host?.id ?? message.number
        try forEach("SELECT number, kind, ordinals, sent FROM anyChunk WHERE message = \(row)") { row in
            switch row.text(1) {
            case Chunk.Kind.send.rawValue:
                let sent = row.places(3)
                if let place = host?.place {
                    counts.target += 1
                    counts.sent += sent.contains(place) ? 1 : 0
                } else {
                    counts.target += OrdinalList.count(packed: row.bytes(2))
                    counts.sent += sent.count
                }
            case Chunk.Kind.message.rawValue:
                isCustom = true
                counts.custom.target += host?.place == nil ? OrdinalList.count(packed: row.bytes(2)) : 1
                links[row.int64(0)] = \.custom
            case Chunk.Kind.inApp.rawValue:
                counts.inApp.target += OrdinalList.count(packed: row.bytes(2))
                links[row.int64(0)] = \.inApp
            default: break
            }
        }
        // Reports of a custom message in a batch are stored for the batch.
        let place = isCustom ? host?.place : nil
        let reported = place == nil ? message.number : row
        try forEach(
            "SELECT number, received, displayed, clicked FROM chunkReport WHERE message = \(reported)"
        ) { counts.add($0, at: place, as: links[$0.int64(0)] ?? \.apns) }
        return counts
    }

    /// Returns the places of devices in the chunks under which reports of a message are stored.
    ///
    /// Without a kind, all chunks are included except retries and those of the in-app message, which repeats the notification.
    func places(
        of ordinals: [DeviceOrdinal],
        in message: MessageID,
        _ kind: Chunk.Kind?
    ) throws -> [Chunk.ID: [(ordinal: DeviceOrdinal, place: Int)]] {
        var found: [Chunk.ID: [(ordinal: DeviceOrdinal, place: Int)]] = [:]
        guard !ordinals.isEmpty else { return found }
        let host = try MessageRow.find(message, in: self)
        let kinds = kind.map { [$0] } ?? Chunk.Kind.allCases.filter { $0 != .inApp && $0 != .retry }
        for chunk in try chunks(with: ordinals.sorted(), of: kinds, in: host?.id ?? message.number) {
            var places = chunk.places
            var id = Chunk.ID(message: message, number: chunk.number)
            if let host, let place = host.place {
                places = places.filter { $0.place == place }
                if chunk.kind == .message {
                    // Links acknowledge all messages of a batch together.
                    id.message = MessageID(host.id)
                } else {
                    // Reports of a notification in a batch are stored for that push alone.
                    places = places.map { ($0.ordinal, 0) }
                }
            }
            if !places.isEmpty { found[id] = places }
        }
        return found
    }
}

extension MessageCounts {
    /// Adds the reports of a chunk (number, received, displayed and clicked), at one place or at all, to the counts of a
    /// custom or in-app message, or of the notification.
    fileprivate mutating func add(
        _ report: any SQLRow,
        at place: Int?,
        as part: WritableKeyPath<MessageCounts, DeliveryCounts>
    ) {
        func count(_ column: Int) -> Int {
            let set = report.places(column)
            return place.map { set.contains($0) ? 1 : 0 } ?? set.count
        }
        self[keyPath: part].received += count(1)
        self[keyPath: part].displayed += count(2)
        self[keyPath: part].clicked += count(3)
    }
}
