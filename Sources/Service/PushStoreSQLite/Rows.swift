import Foundation
import GRDB
import PushModel
import PushService

// How rows become the service's values, and back. Nothing of GRDB leaves this module.

extension Date {
    var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

/// A row that says what no version of Posthorn writes.
struct CorruptRow: Error, CustomStringConvertible {
    var table: String
    var column: String
    var found: String

    var description: String {
        "The database holds '\(found)' in \(table).\(column), which no version of Posthorn writes. Restore a backup."
    }
}

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

extension Device {
    init(row: Row) throws {
        let tags: String = row["tags"]
        // Told at start, when all are read. A device without its tags is as good as any.
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
            tokenRefusal: (row["tokenRefusal"] as String?).map(APNSReason.init(rawValue:)),
            version: row["version"]
        )
    }
}

extension Message {
    init(row: Row) throws {
        self.init(
            id: MessageID(row["id"]),
            app: row["app"],
            acceptedAt: Date(milliseconds: row["acceptedAt"]),
            body: Array(row["body"] as Data),
            environment: try word(row, "environment", of: "message"),
            timeToLive: row["timeToLive"],
            sendno: UInt32(truncatingIfNeeded: row["sendno"] as Int64),
            cid: row["cid"]
        )
    }
}

extension Chunk {
    init(row: Row) throws {
        self.init(
            id: ID(message: MessageID(row["message"]), number: row["number"]),
            kind: try word(row, "kind", of: "chunk"),
            ordinals: OrdinalList(packed: row["ordinals"] as Data),
            dueAt: Date(milliseconds: row["dueAt"]),
            updatedAt: Date(milliseconds: row["updatedAt"])
        )
        attempt = row["attempt"]
        cursor = row["cursor"]
        prepared = row["prepared"]
        sent = PlaceSet(bytes: Array(row["sent"] as Data))
        settled = PlaceSet(bytes: Array(row["settled"] as Data))
        deferred = PlaceSet(bytes: Array(row["deferred"] as Data))
        fence = row["fence"]
        origin = row["origin"]
        isDone = row["isDone"]
        if let text = row["problem"] as String? { problem = try JourneyEvent(stored: text).kind }
    }
}

extension JourneyEvent {
    init(stored text: String) throws {
        guard let json = try? JSONValue(parsing: text), let event = JourneyEvent(json: json) else {
            throw CorruptRow(table: "journeyEvent", column: "event", found: text)
        }
        self = event
    }
}
