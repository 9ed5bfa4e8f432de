package import Foundation
package import PushModel

// The stored form of values that several tables hold.

extension Date {
    /// Milliseconds since 1970, rounded; the nearest that there are for a date beyond all of them.
    package var milliseconds: Int64 {
        let rounded = (timeIntervalSince1970 * 1000).rounded()
        return Int64(exactly: rounded) ?? (rounded > 0 ? .max : .min)
    }
    package init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension JourneyEvent {
    /// - Throws: ``CorruptRow``.
    package init(stored text: String) throws {
        guard let json = try? JSONValue(parsing: text), let event = JourneyEvent(json: json) else {
            throw CorruptRow(table: "journeyEvent", column: "event", found: text)
        }
        self = event
    }
}

extension UUID {
    /// The UUID in lower case, as in responses.
    package var stored: String { uuidString.lowercased() }

    /// Reads a column of the table `schedule`.
    package init(stored text: String, column: String) throws {
        guard let uuid = UUID(uuidString: text) else {
            throw CorruptRow(table: "schedule", column: column, found: text)
        }
        self = uuid
    }
}

extension Lane {
    /// The stored form in a chunk's row: one number, by which an index can be scanned lane by lane.
    ///
    /// The lowest bit is the class, the next one the environment; 16 bits of the app follow, and above them is the topic. A number of
    /// a version without topics is that of the lane for notifications.
    package var number: Int64 { destination.number + Int64(delivery.rawValue) }

    package init(number: Int64) {
        self.init(
            app: App.ID(truncatingIfNeeded: number / 4),
            environment: number & 2 == 2 ? .production : .development,
            // An unknown topic is of a later version, which alone can have written it.
            topic: TopicKind(rawValue: Int(number >> Destination.topicBits)) ?? .notification,
            number & 1 == 1 ? .bulk : .immediate
        )
    }
}

extension Destination {
    fileprivate static let topicBits: Int64 = 18

    /// The number of its lane of the class ``DeliveryClass/immediate``. In SQL, it is `lane & -2` of each of its lanes.
    package var number: Int64 {
        Int64(topic.rawValue) << Self.topicBits + Int64(app) * 4 + (environment == .production ? 2 : 0)
    }

    package init(number: Int64) { self = Lane(number: number).destination }
}

/// The key of a firing of a schedule, which takes the place of a cid.
package enum FiringKey {
    /// The beginning of all keys, which no cid has.
    package static let prefix = "schedule "

    /// Returns whether a cid is the key of a firing.
    package static func isKey(_ cid: String) -> Bool { cid.hasPrefix(prefix) }
}

extension RequestOrigin {
    /// The column `trace` of a message; nil if there is none.
    package var storedTrace: String? {
        guard !trace.isEmpty else { return nil }
        return JSONValue.object(JSONObject(trace.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })).text
    }

    /// Reads a stored trace. One that cannot be read counts as none: it says nothing about the push.
    package init(requestID: String, stored trace: String?) {
        let members = trace.flatMap { try? JSONValue(parsing: $0).object }
        var found: [String: String] = [:]
        for member in members?.members ?? [] { found[member.key] = member.value.string }
        self.init(requestID: requestID, trace: found)
    }
}
