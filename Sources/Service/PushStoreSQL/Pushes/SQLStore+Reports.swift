import Foundation
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

    package func deliveries(
        of message: MessageID,
        app: App.ID,
        to ordinals: [DeviceOrdinal]
    ) async throws -> [DeviceOrdinal: Bool] {
        try await query { session in
            guard try session.has(message, app) else { return [:] }
            var deliveries: [DeviceOrdinal: Bool] = [:]
            for (chunk, places) in try session.places(of: ordinals, in: message, nil) {
                let received = try session.first(
                    "SELECT received FROM chunkReport WHERE message = \(chunk.message) AND number = \(chunk.number)"
                ) { $0.bytes(0) }
                let set = PlaceSet(bytes: received ?? [])
                for (ordinal, place) in places {
                    deliveries[ordinal] = deliveries[ordinal] == true || set.contains(place)
                }
            }
            return deliveries
        }
    }

    package func reach(of message: MessageID, app: App.ID) async throws -> [NotificationReach] {
        try await query { session in
            guard let host = try MessageRow.find(message, in: session), host.app == app,
                try session.deletion(of: message, app: app) == nil
            else { return [] }
            // The first chunks have all devices; those of retries repeat some. A push of a batch has reports of its own.
            return try session.rows(
                """
                SELECT anyChunk.ordinals, sent, received, displayed, clicked FROM anyChunk
                LEFT JOIN chunkReport ON chunkReport.message = \(message) AND chunkReport.number = anyChunk.number
                WHERE anyChunk.message = \(host.id) AND kind = 'send' ORDER BY anyChunk.number
                """
            ) { Self.reach($0, at: host.place) }.compactMap(\.self)
        }
    }

    private static func reach(_ row: any SQLRow, at place: Int?) -> NotificationReach? {
        let ordinals = row.ordinals(0).ordinals
        let sent = row.places(1)
        var reach = NotificationReach(ordinals: ordinals, sent: sent)
        if let place {
            guard place < ordinals.count else { return nil }
            reach = NotificationReach(ordinals: [ordinals[place]], sent: PlaceSet(sent.contains(place) ? [0] : []))
        }
        guard let received = row.optionalBytes(2) else { return reach }
        reach.received = PlaceSet(bytes: received)
        reach.displayed = row.places(3)
        reach.clicked = row.places(4)
        return reach
    }
}

extension SQLSession {
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
