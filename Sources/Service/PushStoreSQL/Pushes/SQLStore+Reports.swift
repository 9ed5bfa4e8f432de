import Foundation
package import PushModel
package import PushService

extension SQLStore {
    package func counts(of messages: [MessageID], app: App.ID) async throws -> [MessageID: MessageCounts] {
        try await query { session in
            var counts: [MessageID: MessageCounts] = [:]
            for message in messages where try Self.has(message, app, in: session) {
                counts[message] = try Self.counts(of: message, in: session)
                if let voip = try Self.voipPush(of: message, in: session) {
                    counts[message]?.isForVoIP = voip == message
                    if voip != message {
                        counts[message]?.voip = try Self.counts(of: voip, in: session).apns
                    }
                } else if counts[message]?.target ?? 0 > 0 {
                    counts[message]?.isForLiveActivities = try Self.isForLiveActivities(message, in: session)
                }
            }
            return counts
        }
    }

    private static func isForLiveActivities(_ message: MessageID, in session: any SQLSession) throws -> Bool {
        let body = try session.first("SELECT body FROM message WHERE id = \(message)") { $0.bytes(0) }
        // Most pushes need not be parsed.
        guard let body, Data(body).range(of: Data("\"live_activity\"".utf8)) != nil else { return false }
        return (try? JSONValue(parsing: body))?.object?["live_activity"] != nil
    }

    /// Returns whether the message exists; one that is being deleted counts as gone.
    private static func has(_ message: MessageID, _ app: App.ID, in session: any SQLSession) throws -> Bool {
        guard let row = try MessageRow.find(message, in: session), row.app == app else { return false }
        return try deletion(of: message, app: app, in: session) == nil
    }

    private static func counts(of message: MessageID, in session: any SQLSession) throws -> MessageCounts {
        var counts = MessageCounts()
        let host = try MessageRow.find(message, in: session)
        var links: [Int64: WritableKeyPath<MessageCounts, DeliveryCounts>] = [:]
        var isCustom = false
        let row = host?.id ?? message.number
        try session.forEach("SELECT number, kind, ordinals, sent FROM anyChunk WHERE message = \(row)") { row in
            switch row.text(1) {
            case Chunk.Kind.send.rawValue:
                let sent = PlaceSet(bytes: row.bytes(3))
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
        try session.forEach(
            "SELECT number, received, displayed, clicked FROM chunkReport WHERE message = \(reported)"
        ) { add($0, at: place, as: links[$0.int64(0)] ?? \.apns, to: &counts) }
        return counts
    }

    /// Adds the reports of a chunk (number, received, displayed and clicked), at one place or at all, to the counts of a
    /// custom or in-app message, or of the notification.
    private static func add(
        _ report: any SQLRow,
        at place: Int?,
        as part: WritableKeyPath<MessageCounts, DeliveryCounts>,
        to counts: inout MessageCounts
    ) {
        func count(_ column: Int) -> Int {
            let set = PlaceSet(bytes: report.bytes(column))
            return place.map { set.contains($0) ? 1 : 0 } ?? set.count
        }
        counts[keyPath: part].received += count(1)
        counts[keyPath: part].displayed += count(2)
        counts[keyPath: part].clicked += count(3)
    }

    package func deliveries(
        of message: MessageID,
        app: App.ID,
        to ordinals: [DeviceOrdinal]
    ) async throws -> [DeviceOrdinal: Bool] {
        try await query { session in
            guard try Self.has(message, app, in: session) else { return [:] }
            var deliveries: [DeviceOrdinal: Bool] = [:]
            for (chunk, places) in try Self.places(of: ordinals, in: message, nil, session) {
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

    /// Returns the places of devices in the chunks under which reports of a message are stored.
    ///
    /// Without a kind, all chunks are included except retries and those of the in-app message, which repeats the notification.
    static func places(
        of ordinals: [DeviceOrdinal],
        in message: MessageID,
        _ kind: Chunk.Kind?,
        _ session: any SQLSession
    ) throws -> [Chunk.ID: [(ordinal: DeviceOrdinal, place: Int)]] {
        var found: [Chunk.ID: [(ordinal: DeviceOrdinal, place: Int)]] = [:]
        guard !ordinals.isEmpty else { return found }
        let host = try MessageRow.find(message, in: session)
        let kinds = kind.map { [$0] } ?? Chunk.Kind.allCases.filter { $0 != .inApp && $0 != .retry }
        for chunk in try session.chunks(with: ordinals.sorted(), of: kinds, in: host?.id ?? message.number) {
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

    package func reach(of message: MessageID, app: App.ID) async throws -> [NotificationReach] {
        try await query { session in
            guard let host = try MessageRow.find(message, in: session), host.app == app,
                try Self.deletion(of: message, app: app, in: session) == nil
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
        let ordinals = OrdinalList(packed: row.bytes(0)).ordinals
        let sent = PlaceSet(bytes: row.bytes(1))
        var reach = NotificationReach(ordinals: ordinals, sent: sent)
        if let place {
            guard place < ordinals.count else { return nil }
            reach = NotificationReach(ordinals: [ordinals[place]], sent: PlaceSet(sent.contains(place) ? [0] : []))
        }
        guard let received = row.optionalBytes(2) else { return reach }
        reach.received = PlaceSet(bytes: received)
        reach.displayed = PlaceSet(bytes: row.bytes(3))
        reach.clicked = PlaceSet(bytes: row.bytes(4))
        return reach
    }
}
