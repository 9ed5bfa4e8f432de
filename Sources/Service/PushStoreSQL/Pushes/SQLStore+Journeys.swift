package import PushModel
package import PushService

// The events and facts of journeys.
extension SQLStore {
    package func record(_ events: [JourneyEntry]) async throws {
        try await change { session in
            let known = try session.known(Set(events.map(\.message)))
            // Events of a deleted message would stay forever.
            let events = events.filter { known.contains($0.message) }
            if !events.isEmpty { try session.insert(events) }
            try session.count(events)
            try session.noteEndings(events)
        }
    }

    package func journey(of message: MessageID, to ordinal: DeviceOrdinal) async throws -> JourneyFacts? {
        try await query { session -> JourneyFacts? in
            guard let place = try MessageRow.find(message, in: session),
                try session.deletion(of: message, app: place.app) == nil,
                // A damaged batch still has its dates.
                let host = try Message.readable(place.id, in: session)
            else { return nil }
            let chunks = try Chunk.read(
                """
                FROM anyChunk WHERE message = \(place.id) AND firstOrdinal <= \(ordinal) AND lastOrdinal >= \(ordinal)
                    AND kind <> 'retry' ORDER BY number
                """,
                in: session
            ).map(\.chunk)
            let message = host.message(at: place.place ?? 0)
            func isMeant(_ chunk: Chunk) -> Bool {
                guard let found = chunk.ordinals.place(of: ordinal) else { return false }
                return place.place.map { $0 == found } ?? true
            }
            func alone(_ chunk: Chunk) -> Chunk { place.place.map { chunk.alone(at: $0, of: message.id) } ?? chunk }
            let device = DeviceID(app: message.app, ordinal: ordinal)
            let notification = chunks.first { !$0.kind.isForLinks && isMeant($0) }.map(alone)
            let custom = try chunks.first { $0.kind.isForLinks && isMeant($0) }.map { chunk in
                // Its state is stored for the whole chunk.
                var custom = try session.custom(of: device, chunk)
                custom.chunk = alone(chunk)
                return custom
            }
            let receipts = try notification.flatMap { try session.receipts(of: device, in: $0) }
            return JourneyFacts(
                message: message,
                chunk: notification,
                retry: try Chunk.retry(of: ordinal, in: MessageID(place.id), session)?.chunk,
                receipts: receipts?.bits ?? [],
                receiptsAt: receipts?.date,
                custom: custom,
                events: try session.events(of: message.id, in: place, to: ordinal),
                pause: try session.pause(ofRow: place.id)
            )
        }
    }

    package func exceptions(of id: MessageID, limit: Int) async throws -> MessageExceptions {
        try await query { session in
            var found = MessageExceptions(events: [], isComplete: true)
            guard let row = try MessageRow.find(id, in: session) else { return found }
            let own = try session.rows(
                "SELECT ordinal, event FROM journeyEvent WHERE message = \(id) ORDER BY number LIMIT \(limit + 1)"
            ) { (try JourneyEvent(stored: $0.text(1)).kind, [$0.ordinal(0)]) }
            let shared = try session.rows(
                "SELECT event, ordinals FROM stepEvent WHERE message = \(row.id) ORDER BY number LIMIT \(limit + 1)"
            ) { (try JourneyEvent(stored: $0.text(0)).kind, $0.ordinals(1).ordinals) }
            found.events = own + shared
            found.isComplete = own.count <= limit && shared.count <= limit
            return found
        }
    }
}

extension SQLSession {
    /// Writes for callbacks that the gateway could not deliver: the time to live has ended, or a later push has taken the place.
    fileprivate func noteEndings(_ events: [JourneyEntry]) throws {
        for entry in events {
            switch entry.event.kind {
            case .expired, .coalesced: break
            default: continue
            }
            let notes = try CallbackNotes(entry.message, in: self)
            try notes?.add(.notDelivered, of: [entry.ordinal], in: .send, at: entry.event.date.milliseconds, self)
        }
    }

    fileprivate func known(_ messages: Set<MessageID>) throws -> Set<MessageID> {
        try messages.filter { message in
            // A damaged batch is skipped; otherwise all other reports would wait for it forever.
            let row: MessageRow?
            do { row = try MessageRow.find(message, in: self) } catch is CorruptRow { return false }
            guard let row else { return false }
            return try deletion(of: message, app: row.app) == nil
        }
    }

    /// Returns the events of a device, both shared with others and its own.
    fileprivate func events(
        of message: MessageID,
        in row: MessageRow,
        to ordinal: DeviceOrdinal
    ) throws -> [JourneyEvent] {
        let own = try rows(
            "SELECT at, event FROM journeyEvent WHERE message = \(message) AND ordinal = \(ordinal) ORDER BY at, number"
        ) { (at: $0.int64(0), event: $0.text(1)) }
        let shared = try rows(
            """
            SELECT at, event, ordinals FROM stepEvent WHERE message = \(row.id) AND firstOrdinal <= \(ordinal) AND
                lastOrdinal >= \(ordinal)
            ORDER BY at, number
            """
        ) { row in
            OrdinalList(packed: row.bytes(2)).place(of: ordinal).map { _ in (at: row.int64(0), event: row.text(1)) }
        }.compactMap(\.self)
        // The sort keeps the order of simultaneous events.
        return try (own + shared).enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map { try JourneyEvent(stored: $0.element.event) }
    }

    fileprivate func pause(ofRow message: Int64) throws -> Pause? {
        try first(
            """
            SELECT reason, detail, until FROM destinationPause
            WHERE destination = (SELECT lane & -2 FROM message WHERE id = \(message))
            """
        ) { row in
            PauseReason(rawValue: row.text(0)).map { Pause(reason: $0, detail: row.text(1), until: row.date(2)) }
        } ?? nil
    }
}
