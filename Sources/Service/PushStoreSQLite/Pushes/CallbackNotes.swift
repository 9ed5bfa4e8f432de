import Foundation
import GRDB
import PushModel
import PushService

/// Writes events for the callback address of a message, in the transaction of the outcome or report that they are about.
struct CallbackNotes {
    /// The maximum number of devices in a row.
    private static let devices = 500

    private let message: Int64
    private let kinds: PushCallback.Kind
    private let isVoIP: Bool
    private let receiver: Int64

    /// Nil if the message has no callback.
    init?(_ message: Int64, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "SELECT kinds, isVoIP, receiver FROM callback WHERE message = ?"
        )
        guard let row = try Row.fetchOne(statement, arguments: [message]) else { return nil }
        self.message = message
        kinds = PushCallback.Kind(rawValue: row["kinds"])
        isVoIP = row["isVoIP"]
        receiver = row["receiver"]
    }

    /// Returns the number of an app's receiver for an address; a new one is added.
    static func receiver(of url: String, app: App.ID, in database: Database) throws -> Int64 {
        let name = PushCallback.receiver(of: url)
        try database.cachedStatement(
            sql: "INSERT INTO callbackReceiver (app, name) VALUES (?, ?) ON CONFLICT (app, name) DO NOTHING"
        )
        .execute(arguments: [app, name])
        let statement = try database.cachedStatement(sql: "SELECT id FROM callbackReceiver WHERE app = ? AND name = ?")
        return try Int64.fetchOne(statement, arguments: [app, name]) ?? 0
    }

    /// Removes a receiver that no push has any more.
    static func removeReceiver(_ receiver: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                DELETE FROM callbackReceiver
                WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM callback WHERE receiver = ?1)
                """
        ).execute(arguments: [receiver])
    }

    func wants(_ kind: PushCallback.Kind) -> Bool { kinds.contains(kind) }

    /// Adds an event of devices, unless the callback does not ask for it.
    ///
    /// - Parameters:
    ///   - kind: the event.
    ///   - ordinals: the devices in ascending order.
    ///   - chunk: the kind of chunk that they are in.
    ///   - date: the time of the event, in milliseconds since 1970.
    ///   - database: the transaction.
    /// - Throws: an error of the database.
    func add(
        _ kind: PushCallback.Kind,
        of ordinals: [DeviceOrdinal],
        in chunk: Chunk.Kind,
        at date: Int64,
        _ database: Database
    ) throws {
        guard wants(kind), !ordinals.isEmpty else { return }
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO callbackEvent (message, kind, part, at, ordinals, receiver) VALUES (?, ?, ?, ?, ?, ?)
                """
        )
        for start in stride(from: 0, to: ordinals.count, by: Self.devices) {
            let part = Array(ordinals[start..<min(start + Self.devices, ordinals.count)])
            try statement.execute(arguments: [
                message, kind.rawValue, self.part(chunk).rawValue, date, Data(OrdinalList(part).packed),
                receiver,
            ])
        }
    }

    private func part(_ chunk: Chunk.Kind) -> CallbackPart {
        switch chunk {
        case .message: .message
        case .inApp: .inApp
        default: isVoIP ? .voip : .notification
        }
    }
}
