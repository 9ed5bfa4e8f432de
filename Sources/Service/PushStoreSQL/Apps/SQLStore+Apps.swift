package import Foundation
package import PushModel
package import PushService

extension SQLStore {
    package var appsVersion: Int { appChanges.value }

    package func apps() async throws -> [App] {
        try await readable("FROM app WHERE deletedAt IS NULL ORDER BY id") { "app \($0.int64(0))" }
    }

    package func createApp(_ draft: App) async throws -> App {
        defer { appChanges.add() }
        return try await unique("The app key \(draft.key) is taken.") {
            try await change { session in
                let app = try session.insert(draft)
                try session.announce([.apps])
                return app
            }
        }
    }

    package func contents(of id: App.ID) async throws -> AppContents {
        try await query { session in
            func number(_ query: SQLStatement) throws -> Int { Int(try session.number(query)) }
            func count(_ source: SQLStatement) throws -> Int { try number("SELECT count(*) FROM \(source)") }
            // A row of a batch stands for all of its pushes.
            let ids: SQLStatement = "CAST(coalesce(sum(coalesce(lastID, id) - id + 1), 0) AS bigint)"
            return AppContents(
                devices: try count("device WHERE app = \(id)"),
                pushes: try number("SELECT \(ids) FROM message WHERE app = \(id)"),
                waiting: try number("SELECT count(DISTINCT message) FROM anyChunk WHERE app = \(id) AND NOT isDone"),
                schedules: try count("schedule WHERE app = \(id) AND dueAt IS NOT NULL"),
                templates: try count("pushTemplate WHERE app = \(id)"),
                segments: try count("segment WHERE app = \(id)"),
                callbacks: try count(
                    """
                    callbackEvent JOIN callbackReceiver ON callbackReceiver.id = callbackEvent.receiver
                    WHERE callbackReceiver.app = \(id)
                    """
                ),
                credentials: try count("appCredential WHERE app = \(id)"),
                groups: try count("appGroupMember WHERE app = \(id)")
            )
        }
    }

    @discardableResult
    package func deleteApp(_ id: App.ID, at date: Date) async throws -> Bool {
        defer { appChanges.add() }
        return try await change { session in
            let isDeleted = try session.execute(
                """
                UPDATE app SET deletedAt = \(date), secretHash = \(.bytes([])), formerSecrets = NULL
                WHERE id = \(id) AND deletedAt IS NULL
                """
            )
            guard isDeleted > 0 else { return false }
            // The secret can no longer be requested.
            try session.queue("UPDATE ownedApp SET sealedSecret = \(.bytes([])) WHERE app = \(id)")
            // One index has the schedules that are still due, another those that have ended.
            for condition in ["dueAt IS NOT NULL", "endedAt IS NOT NULL"] {
                try session.queue(
                    "DELETE FROM scheduleFiring WHERE schedule IN (SELECT id FROM schedule WHERE app = \(id) AND \(raw: condition))"
                )
                try session.queue("DELETE FROM schedule WHERE app = \(id) AND \(raw: condition)")
            }
            for table in ["destinationPause", "appCredential", "appGroupMember"] {
                try session.queue("DELETE FROM \(raw: table) WHERE app = \(id)")
            }
            try session.announce([.apps, .credentials(id)])
            return true
        }
    }

    package func setEnvironment(_ environment: APNSEnvironment, of app: App.ID) async throws {
        try await changeApps("UPDATE app SET environment = \(environment) WHERE id = \(app)")
    }

    package func setStrict(_ isStrict: Bool, of app: App.ID) async throws {
        try await changeApps("UPDATE app SET isStrict = \(isStrict) WHERE id = \(app)")
    }

    package func setQuietHours(_ hours: QuietHours?, of app: App.ID) async throws {
        try await changeApps("UPDATE app SET quietHours = \(hours?.json.text) WHERE id = \(app)")
    }

    package func setAliases(_ rules: AliasRules, of app: App.ID) async throws {
        try await changeApps(
            "UPDATE app SET aliasPolicy = \(rules.policy), protectedTags = \(rules.protectedTags) WHERE id = \(app)"
        )
    }

    package func takeAliasKey(of app: App.ID, formerUntil date: Date?) async throws -> Int64? {
        try await change { session in
            let number = try session.firstNumber(
                """
                UPDATE app SET aliasKeyNumber = aliasKeyNumber + 1, formerAliasKeyUntil = \(date)
                WHERE id = \(app) AND deletedAt IS NULL RETURNING aliasKeyNumber
                """
            )
            if number != nil { try session.announce([.apps]) }
            return number
        }
    }

    /// Executes a statement, and tells other nodes of a change of apps if it has changed a row.
    ///
    /// - Returns: whether it has.
    @discardableResult
    private func changeApps(_ statement: SQLStatement) async throws -> Bool {
        try await change { session in
            let isChanged = try session.execute(statement) > 0
            if isChanged { try session.announce([.apps]) }
            return isChanged
        }
    }

    package func segments() async throws -> [(app: App.ID, segment: Segment)] {
        try await rows("SELECT app, name, rule FROM segment ORDER BY app, name") { row in
            let app = row.app(0)
            let name = row.text(1)
            return try readable(row, named: "segment \(name) of app \(app)") { row in
                (app: app, segment: try Segment(name: name, rule: JSONValue(parsing: row.text(2))))
            }
        }.compactMap(\.self)
    }

    package func setSegment(_ segment: Segment, of app: App.ID) async throws {
        try await changeApps(
            """
            INSERT INTO segment (app, name, rule) VALUES (\(app), \(segment.name), \(segment.rule.text))
            ON CONFLICT (app, name) DO UPDATE SET rule = excluded.rule
            """
        )
    }

    package func deleteSegment(_ name: String, of app: App.ID) async throws -> Bool {
        try await changeApps("DELETE FROM segment WHERE app = \(app) AND name = \(name)")
    }

    // MARK: - The limits of an app's broadcasts

    package func pacedMessages(of app: App.ID) async throws -> Int {
        try await queryOnce { session in
            let count = try session.number(
                "SELECT count(DISTINCT message) FROM chunk WHERE NOT isDone AND isPaced AND app = \(app)"
            )
            return Int(count)
        }
    }

    package func countBroadcast(of app: App.ID, day: Int, limit: Int) async throws -> Bool {
        guard limit > 0 else { return false }
        return try await change { session in
            try session.queue("DELETE FROM broadcast WHERE app = \(app) AND day < \(day)")
            return try session.execute(
                """
                INSERT INTO broadcast AS known (app, day, count) VALUES (\(app), \(day), 1)
                ON CONFLICT (app, day) DO UPDATE SET count = known.count + 1 WHERE known.count < \(limit)
                """
            ) > 0
        }
    }

    package func returnBroadcast(of app: App.ID, day: Int) async throws {
        try await execute("UPDATE broadcast SET count = count - 1 WHERE app = \(app) AND day = \(day) AND count > 0")
    }

    // MARK: - Values by key

    package func value(_ key: String) async throws -> [UInt8]? { try await queryOnce { try $0.value(key) } }

    package func setValue(_ value: [UInt8], for key: String) async throws {
        try await execute(
            """
            INSERT INTO setting (key, value) VALUES (\(key), \(value))
            ON CONFLICT (key) DO UPDATE SET value = excluded.value
            """
        )
    }

    package func setDefault(_ value: [UInt8], for key: String) async throws -> [UInt8] {
        try await change { session in
            try session.queue("INSERT INTO setting (key, value) VALUES (\(key), \(value)) ON CONFLICT (key) DO NOTHING")
            return try session.value(key) ?? value
        }
    }
}

extension SQLSession {
    func insert(_ draft: App) throws -> App {
        // The ids have no gaps, because there are few: a sequence would lose some when a transaction fails.
        try lock(.number(0x6170_7073))
        var app = draft
        let id = try number(
            """
            INSERT INTO app (id, key, secretHash, name, bundleID, environment, createdAt, aliasPolicy, protectedTags)
            SELECT coalesce(max(id), 0) + 1, \(draft.key.text), \(draft.secretHash.bytes), \(draft.name),
                \(draft.bundleID), \(draft.defaultEnvironment), \(draft.createdAt), \(draft.aliases.policy),
                \(draft.aliases.protectedTags) FROM app RETURNING id
            """
        )
        app.id = App.ID(truncatingIfNeeded: id)
        return app
    }

    package func value(_ key: String) throws -> [UInt8]? {
        try first("SELECT value FROM setting WHERE key = \(key)") { $0.bytes(0) }
    }
}

extension App: SQLRecord {
    package static let columns = """
        id, key, secretHash, name, bundleID, environment, createdAt, quietHours, isStrict, aliasPolicy, protectedTags, aliasKeyNumber,
        formerAliasKeyUntil, formerSecrets
        """
    /// The number of columns.
    package static let columnCount = 14

    package init(_ row: any SQLRow) throws {
        self.init(
            id: row.app(0),
            key: try row.value(1, "key", of: "app") { AppKey($0) },
            secretHash: SecretHash(bytes: row.bytes(2)),
            formerSecrets: try row.formerSecrets(13, of: "app"),
            name: row.text(3),
            bundleID: row.text(4),
            defaultEnvironment: try row.word(5, "environment", of: "app"),
            createdAt: row.date(6),
            quietHours: try row.optionalText(7).map { text in
                guard let json = try? JSONValue(parsing: text),
                    let hours = try? QuietHours(json: json, at: "quietHours")
                else { throw CorruptRow(table: "app", column: "quietHours", found: text) }
                return hours
            },
            isStrict: row.bool(8)
        )
        aliases.policy = try row.word(9, "aliasPolicy", of: "app")
        aliases.protectedTags = row.text(10)
        aliases.keyNumber = row.int64(11)
        aliases.formerKeyUntil = row.optionalDate(12)
    }
}
