package import Foundation
import GRDB
package import PushModel
package import PushService

// Receipts of devices: a bit each, without a row.
extension SQLiteStore {
    package func record(
        _ receipts: [MessageID: ReceiptBits],
        inApp: [MessageID: ReceiptBits],
        of device: DeviceID,
        at date: Date
    ) async throws {
        try await writes.write { database in
            // For a push sent on both channels, an app's report means the notification; the custom message is acknowledged.
            try Self.record(receipts, of: device, for: [.notification, .message], at: date, in: database)
            try Self.record(inApp, of: device, for: [.inApp, .notification, .message], at: date, in: database)
        }
    }

    /// Counts a receipt for the first of the parts that its push has had for the device.
    private static func record(
        _ receipts: [MessageID: ReceiptBits],
        of device: DeviceID,
        for parts: [PushPart],
        at date: Date,
        in database: Database
    ) throws {
        for (message, bits) in receipts {
            // A damaged batch is skipped; otherwise the app would repeat the report forever.
            let row: MessageRow?
            do { row = try MessageRow.find(message, in: database) } catch is CorruptRow { continue }
            guard row?.app == device.app,
                try deletion(of: message, app: device.app, in: database) == nil
            else { continue }
            let said = [device.ordinal: bits]
            for part in parts where try count(said, of: message, part, at: date, in: database) { break }
        }
    }

    /// Returns the receipts of a device for the push of a chunk.
    static func receipts(
        of device: DeviceID,
        in chunk: Chunk,
        _ database: Database
    ) throws -> (bits: ReceiptBits, date: Date)? {
        let statement = try database.cachedStatement(sql: "SELECT * FROM chunkReport WHERE message = ? AND number = ?")
        guard let place = chunk.ordinals.place(of: device.ordinal),
            let row = try Row.fetchOne(statement, arguments: [chunk.id.message.number, chunk.id.number])
        else { return nil }
        func has(_ column: String) -> Bool { PlaceSet(bytes: Array(row[column] as Data)).contains(place) }
        var bits: ReceiptBits = []
        if has("received") { bits.insert(.received) }
        if has("displayed") { bits.insert(.displayed) }
        if has("clicked") { bits.insert(.clicked) }
        return (bits, Date(milliseconds: row["at"]))
    }

    static func custom(of device: DeviceID, _ chunk: Chunk, in database: Database) throws -> JourneyFacts.Custom {
        let receipts = try receipts(of: device, in: chunk, database)
        return JourneyFacts.Custom(
            chunk: chunk,
            receipts: receipts?.bits ?? [],
            receiptsAt: receipts?.date,
            position: try Int64.fetchOne(
                database,
                sql: "SELECT position FROM customMessage WHERE message = ?",
                arguments: [chunk.id.message.number]
            ),
            cursor: try cursor(of: device, in: database)
        )
    }
}
