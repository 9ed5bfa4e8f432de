package import Foundation
package import PushModel
package import PushService

// Receipts and reports of devices: a bit each, without a row.
extension SQLStore {
    package func record(
        _ receipts: [MessageID: ReceiptBits],
        inApp: [MessageID: ReceiptBits],
        of device: DeviceID,
        at date: Date
    ) async throws {
        try await change { session in
            // For a push sent on both channels, an app's report means the notification; the custom message is acknowledged.
            try session.record(receipts, of: device, for: [.send, .message], at: date)
            try session.record(inApp, of: device, for: [.inApp, .send, .message], at: date)
        }
    }
}

extension SQLSession {
    /// Counts a receipt for the first kind of chunk that its push has for the device.
    fileprivate func record(
        _ receipts: [MessageID: ReceiptBits],
        of device: DeviceID,
        for kinds: [Chunk.Kind],
        at date: Date
    ) throws {
        for (message, bits) in receipts.sorted(by: { $0.key < $1.key }) {
            // A damaged batch is skipped; otherwise the app would repeat the report forever.
            let row: MessageRow?
            do { row = try MessageRow.find(message, in: self) } catch is CorruptRow { continue }
            guard row?.app == device.app,
                try deletion(of: message, app: device.app) == nil
            else { continue }
            let said = [device.ordinal: bits]
            for kind in kinds where try count(said, of: message, kind, at: date) { break }
        }
    }

    /// Sets the bits that correspond to reports of devices.
    package func count(_ reports: [JourneyEntry]) throws {
        let messages = Dictionary(grouping: reports, by: \.message)
        for (message, reports) in messages.sorted(by: { $0.key < $1.key }) {
            var bits: [DeviceOrdinal: ReceiptBits] = [:]
            var last = Date.distantPast
            for report in reports {
                let said = ReceiptBits(report.event.kind)
                guard !said.isEmpty else { continue }
                bits[report.ordinal, default: []].formUnion(said)
                last = max(last, report.event.date)
            }
            try count(bits, of: message, .send, at: last)
        }
    }

    /// Sets the bits of devices in a message's chunks of one kind.
    ///
    /// - Returns: whether any of the devices is in any of them.
    @discardableResult
    package func count(
        _ bits: [DeviceOrdinal: ReceiptBits],
        of message: MessageID,
        _ kind: Chunk.Kind,
        at date: Date
    ) throws -> Bool {
        let places = try places(of: Array(bits.keys), in: message, kind)
        for (chunk, places) in places.sorted(by: { $0.key.number < $1.key.number }) {
            try count(places.map { ($0.place, bits[$0.ordinal] ?? []) }, at: date, in: chunk)
        }
        return !places.isEmpty
    }

    /// Sets the bits of devices that have received a message of the log.
    package func countDeliveries(of message: MessageID, to ordinals: [DeviceOrdinal], at date: Date) throws {
        let kinds = Chunk.Kind.allCases.filter(\.isForLinks)
        for chunk in try chunks(with: ordinals, of: kinds, in: message.number) {
            let acknowledgements = chunk.places.map { ($0.place, ReceiptBits.received) }
            try count(acknowledgements, at: date, in: Chunk.ID(message: message, number: chunk.number))
        }
    }

    fileprivate func count(_ said: [(place: Int, bits: ReceiptBits)], at date: Date, in chunk: Chunk.ID) throws {
        let key: SQLStatement = "message = \(chunk.message) AND number = \(chunk.number)"
        // Exists from here on, so that it can be locked: other nodes add bits to it too.
        try queue(
            """
            INSERT INTO chunkReport (message, number, received, displayed, clicked, at)
            VALUES (\(chunk.message), \(chunk.number), \(.bytes([])), \(.bytes([])), \(.bytes([])), \(date))
            ON CONFLICT (message, number) DO NOTHING
            """
        )
        let columns: [ReceiptBits] = [.received, .displayed, .clicked]
        let before =
            try first(
                "SELECT received, displayed, clicked FROM chunkReport WHERE \(key) \(raw: dialect.locking())"
            ) { row in columns.indices.map { PlaceSet(bytes: row.bytes($0)) } } ?? columns.map { _ in PlaceSet() }
        let new = columns.indices.map { column in
            said.filter { $0.bits.contains(columns[column]) && !before[column].contains($0.place) }.map(\.place)
        }
        // A repeated report changes nothing.
        guard new.contains(where: { !$0.isEmpty }) else { return }
        if let notes = try CallbackNotes(chunk.message, in: self) {
            try note(.delivered, at: new[0], of: chunk, in: notes, date: date)
            try note(.clicked, at: new[2], of: chunk, in: notes, date: date)
        }
        let after = columns.indices.map { column in
            var set = before[column]
            for place in new[column] { set.insert(place) }
            return set.bytes
        }
        try queue(
            """
            UPDATE chunkReport SET received = \(after[0]), displayed = \(after[1]), clicked = \(after[2]),
                at = \(raw: dialect.greatest)(at, \(date)) WHERE \(key)
            """
        )
    }

    /// Writes a report of the devices at some places of a chunk for the callback of its message.
    fileprivate func note(
        _ kind: PushCallback.Kind,
        at places: [Int],
        of chunk: Chunk.ID,
        in notes: CallbackNotes,
        date: Date
    ) throws {
        guard !places.isEmpty, notes.wants(kind) else { return }
        let found = try first(
            "SELECT kind, ordinals FROM anyChunk WHERE message = \(chunk.message) AND number = \(chunk.number)"
        ) { (kind: Chunk.Kind(rawValue: $0.text(0)), ordinals: $0.ordinals(1).ordinals) }
        guard let found, let chunkKind = found.kind else { return }
        let all = found.ordinals
        let ordinals = places.sorted().compactMap { all.indices.contains($0) ? all[$0] : nil }
        try notes.add(kind, of: ordinals, in: chunkKind, at: date.milliseconds, self)
    }

    /// Returns the receipts of a device for the push of a chunk.
    func receipts(of device: DeviceID, in chunk: Chunk) throws -> (bits: ReceiptBits, date: Date)? {
        guard let place = chunk.ordinals.place(of: device.ordinal) else { return nil }
        return try first(
            "SELECT received, displayed, clicked, at FROM chunkReport WHERE message = \(chunk.id.message) AND number = \(chunk.id.number)"
        ) { row in
            var bits: ReceiptBits = []
            let columns: [ReceiptBits] = [.received, .displayed, .clicked]
            for (column, bit) in columns.enumerated() where row.places(column).contains(place) {
                bits.insert(bit)
            }
            return (bits, row.date(3))
        }
    }

    func custom(of device: DeviceID, _ chunk: Chunk) throws -> JourneyFacts.Custom {
        let receipts = try receipts(of: device, in: chunk)
        let position = try firstNumber(
            "SELECT position FROM customMessage WHERE message = \(chunk.id.message)"
        )
        return JourneyFacts.Custom(
            chunk: chunk,
            receipts: receipts?.bits ?? [],
            receiptsAt: receipts?.date,
            position: position,
            cursor: try cursor(of: device)
        )
    }
}
