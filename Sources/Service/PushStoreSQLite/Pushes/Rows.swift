import Foundation
import GRDB
import PushModel
import PushService

// Conversions between rows and the service's values. GRDB types stay within this module.

func word<Word: RawRepresentable<String>>(_ row: Row, _ column: String, of table: String) throws -> Word {
    let text: String = row[column]
    guard let word = Word(rawValue: text) else { throw CorruptRow(table: table, column: column, found: text) }
    return word
}

extension App {
    init(row: Row) throws {
        let text: String = row["key"]
        guard let key = AppKey(text) else { throw CorruptRow(table: "app", column: "key", found: text) }
        self.init(
            id: row["id"],
            key: key,
            secretHash: SecretHash(bytes: Array(row["secretHash"] as Data)),
            name: row["name"],
            bundleID: row["bundleID"],
            defaultEnvironment: try word(row, "environment", of: "app"),
            createdAt: Date(milliseconds: row["createdAt"]),
            quietHours: try (row["quietHours"] as String?).map(QuietHours.init(stored:))
        )
    }
}

extension QuietHours {
    fileprivate init(stored text: String) throws {
        guard let json = try? JSONValue(parsing: text), let hours = try? QuietHours(json: json, at: "quietHours") else {
            throw CorruptRow(table: "app", column: "quietHours", found: text)
        }
        self = hours
    }
}

extension RegisteredDevice {
    init(row: Row) throws {
        let tags: String = row["tags"]
        // Damage is logged at start, when all rows are read. A device without its tags is still usable.
        let names = (try? JSONValue(parsing: tags))?.array?.compactMap(\.string) ?? []
        self.init(
            id: DeviceID(app: row["app"], ordinal: row["ordinal"]),
            installation: row["installation"],
            secretHash: SecretHash(bytes: Array(row["secretHash"] as Data)),
            token: (row["token"] as Data?).map { DeviceToken(bytes: $0) },
            environment: try word(row, "environment", of: "device"),
            tokenRegisteredAt: Date(milliseconds: row["tokenRegisteredAt"]),
            alias: row["alias"],
            tags: names,
            mobile: row["mobile"],
            badge: row["badge"],
            system: row["system"],
            channel: row["channel"],
            lastSeen: Date(milliseconds: row["lastSeen"]),
            isStopped: row["isStopped"],
            zone: row["zone"],
            appVersion: row["appVersion"],
            language: row["language"],
            permission: (row["permission"] as String?).flatMap(NotificationPermission.init(rawValue:)),
            tokenRefusal: (row["tokenRefusal"] as String?).map(APNSReason.init(rawValue:)),
            version: row["version"]
        )
    }
}

extension Message {
    /// The columns for ``init(_:)``, in order.
    static let columns = "id, app, acceptedAt, body, environment, timeToLive, sendno, cid, requestID, trace"
    /// The number of columns.
    static let columnCount: CInt = 10

    init(_ row: borrowing StatementRow) throws {
        self.init(
            id: MessageID(row.integer(0)),
            app: App.ID(truncatingIfNeeded: row.integer(1)),
            acceptedAt: row.date(2),
            body: row.bytes(3),
            environment: try row.word(4, "environment", of: "message"),
            timeToLive: row.integer(5),
            sendno: UInt32(truncatingIfNeeded: row.integer(6)),
            cid: row.optionalText(7)
        )
        origin = row.optionalText(8).map { RequestOrigin(requestID: $0, stored: row.optionalText(9)) }
    }
}

extension Chunk {
    /// The columns for ``init(_:)``, in order.
    static let columns = """
        message, number, kind, ordinals, dueAt, updatedAt, attempt, cursor, prepared, sent, settled, deferred, fence, origin, isDone,
        problem
        """
    /// The number of columns.
    static let columnCount: CInt = 16

    init(_ row: borrowing StatementRow) throws {
        self.init(
            id: ID(message: MessageID(row.integer(0)), number: Int(row.integer(1))),
            kind: try row.word(2, "kind", of: "chunk"),
            ordinals: OrdinalList(packed: row.bytes(3)),
            dueAt: row.date(4),
            updatedAt: row.date(5)
        )
        attempt = Int(row.integer(6))
        cursor = Int(row.integer(7))
        prepared = Int(row.integer(8))
        sent = PlaceSet(bytes: row.bytes(9))
        settled = PlaceSet(bytes: row.bytes(10))
        deferred = PlaceSet(bytes: row.bytes(11))
        fence = row.integer(12)
        origin = row.optionalInteger(13).map { Int($0) }
        isDone = row.integer(14) != 0
        if let text = row.optionalText(15) { problem = try JourneyEvent(stored: text).kind }
    }
}
