package import Foundation
package import PushModel
package import PushService

extension SQLStore {
    package func topics(of app: App.ID) async throws -> [PushTopic] {
        try await records("FROM topic WHERE app = \(app) ORDER BY name")
    }

    package func setTopics(_ topics: [PushTopic], of app: App.ID) async throws {
        try await change { session in
            try session.lock(.number(Self.lock(of: app)))
            try session.queue("DELETE FROM topic WHERE app = \(app)")
            for topic in topics {
                try session.queue(
                    """
                    INSERT INTO topic (app, name, cap, period, exemptsImmediate)
                    VALUES (\(app), \(topic.name), \(topic.cap), \(topic.period), \(topic.exemptsImmediate))
                    """
                )
            }
        }
    }

    package func declinedTopics(of device: DeviceID) async throws -> [String] {
        try await rows(
            "SELECT topic FROM topicDecline WHERE app = \(device.app) AND ordinal = \(device.ordinal) ORDER BY topic"
        ) { $0.text(0) }
    }

    package func setDeclinedTopics(_ names: [String], of device: DeviceID, at date: Date) async throws {
        try await change { session in
            let app = device.app
            let ordinal = device.ordinal
            // Locked, so that two calls of the device follow each other, and a device that is gone leaves nothing behind.
            let query: SQLStatement = "SELECT 1 FROM device WHERE app = \(app) AND ordinal = \(ordinal)"
            guard try session.first("\(query) \(raw: session.dialect.locking())", read: { _ in true }) != nil else {
                return
            }
            let old = try session.rows(
                "SELECT topic FROM topicDecline WHERE app = \(app) AND ordinal = \(ordinal)"
            ) { $0.text(0) }
            guard Set(names) != Set(old) else { return }
            try session.queue("DELETE FROM topicDecline WHERE app = \(app) AND ordinal = \(ordinal)")
            for name in names {
                try session.queue(
                    """
                    INSERT INTO topicDecline (app, ordinal, topic) VALUES (\(app), \(ordinal), \(name))
                    ON CONFLICT DO NOTHING
                    """
                )
            }
            try session.note(.declined, of: [device], at: date)
        }
    }

    package func restrain(_ push: TopicPush) async throws -> [DeviceOrdinal: SuppressionReason] {
        let (held, topic) = try await queryOnce { session in
            var held: [DeviceOrdinal: SuppressionReason] = [:]
            try session.forEach(
                "SELECT ordinal FROM topicDecline WHERE \(session.devices(of: push)) AND topic = \(push.topic)"
            ) { held[$0.ordinal(0)] = .topicDeclined }
            let topic: PushTopic? = try session.record("FROM topic WHERE app = \(push.app) AND name = \(push.topic)")
            return (held, topic)
        }
        guard !push.isRetry, let topic, let cap = topic.cap(for: push) else { return held }
        if push.isForecast { return try await queryOnce { try $0.restrain(push, by: topic, cap: cap, held) } }
        return try await change { session in
            // One push of the app at a time: two nodes may have two for the same device.
            try session.lock(.number(Self.lock(of: push.app)))
            return try session.restrain(push, by: topic, cap: cap, held)
        }
    }

    package func release(_ push: TopicPush) async throws {
        try await change { session in
            let found: PushTopic? = try session.record("FROM topic WHERE app = \(push.app) AND name = \(push.topic)")
            guard let topic = found, topic.cap(for: push) != nil else { return }
            try session.lock(.number(Self.lock(of: push.app)))
            for (period, times) in Dictionary(grouping: push.times, by: { topic.period.number(at: $0.value) }) {
                var part = push
                part.times = [DeviceOrdinal: Int64](uniqueKeysWithValues: times.map { ($0.key, $0.value) })
                // The push is then as one that was not counted.
                try session.queue(
                    """
                    UPDATE topicUse
                    SET count = count - 1, message = CASE message WHEN \(push.message) THEN 0 ELSE message END
                    WHERE \(session.devices(of: part)) AND topic = \(push.topic) AND count > 0
                        AND (message = \(push.message) OR period = \(period))
                    """
                )
            }
        }
    }

    private static func lock(of app: App.ID) -> Int64 { 0x746F_7069_6300_0000 + Int64(app) }
}

extension SQLSession {
    /// Adds the devices that have had as many pushes as the cap allows to those that are held, and counts the push for the others.
    fileprivate func restrain(
        _ push: TopicPush,
        by topic: PushTopic,
        cap: Int,
        _ declined: [DeviceOrdinal: SuppressionReason]
    ) throws -> [DeviceOrdinal: SuppressionReason] {
        var held = declined
        var uses: [DeviceOrdinal: (period: Int64, count: Int, message: Int64)] = [:]
        try forEach(
            """
            SELECT ordinal, period, count, message FROM topicUse
            WHERE \(devices(of: push)) AND topic = \(push.topic)
            """
        ) { uses[$0.ordinal(0)] = ($0.int64(1), $0.int(2), $0.int64(3)) }
        for (ordinal, time) in push.times.sorted(by: { $0.key < $1.key }) where held[ordinal] == nil {
            let use = uses[ordinal]
            guard use?.message != push.message.number else { continue }
            // A device that has moved to the west stays in its period.
            let period = max(topic.period.number(at: time), use?.period ?? 0)
            let count = use?.period == period ? use?.count ?? 0 : 0
            // A copy of a push before the last one came in its time.
            if push.isCopy, count < cap || push.message.number < use?.message ?? 0 { continue }
            guard count < cap else {
                held[ordinal] = .topicCapped
                continue
            }
            guard !push.isForecast else { continue }
            try queue(
                """
                INSERT INTO topicUse (app, ordinal, topic, period, count, message)
                VALUES (\(push.app), \(ordinal), \(push.topic), \(period), \(count + 1), \(push.message))
                ON CONFLICT (app, ordinal, topic)
                DO UPDATE SET period = excluded.period, count = excluded.count, message = excluded.message
                """
            )
        }
        return held
    }

    fileprivate func devices(of push: TopicPush) -> SQLStatement {
        "app = \(push.app) AND \(dialect.isAny("ordinal", push.times.keys.sorted()))"
    }
}

extension PushTopic {
    /// Returns the cap for a push; nil if it has none.
    fileprivate func cap(for push: TopicPush) -> Int? { exemptsImmediate && push.isImmediate ? nil : cap }
}

extension PushTopic: SQLRecord {
    package static let columns = "name, cap, period, exemptsImmediate"

    package init(_ row: any SQLRow) throws {
        self.init(
            name: row.text(0),
            cap: row.optionalInt(1),
            period: try row.word(2, "period", of: "topic"),
            exemptsImmediate: row.bool(3)
        )
    }
}

extension SQLSession {
    /// Deletes what is known of the topics of devices that are deleted.
    package func deleteTopics(of devices: [DeviceID]) throws {
        for (app, devices) in Dictionary(grouping: devices, by: \.app) {
            let ordinals = devices.map(\.ordinal).sorted()
            for table in ["topicDecline", "topicUse"] {
                try queue(
                    "DELETE FROM \(raw: table) WHERE app = \(app) AND \(dialect.isAny("ordinal", ordinals))"
                )
            }
        }
    }
}
