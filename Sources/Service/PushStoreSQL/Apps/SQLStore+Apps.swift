package import PushModel
package import PushService

extension SQLStore {
    package var appsVersion: Int { appChanges.value }

    package func apps() async throws -> [App] {
        try await rows("SELECT \(raw: App.columns) FROM app WHERE deletedAt IS NULL ORDER BY id") { row in
            try readable(row, named: "app \(row.int64(0))", App.init)
        }.compactMap(\.self)
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

    package func setEnvironment(_ environment: APNSEnvironment, of app: App.ID) async throws {
        try await change { session -> Void in
            try session.queue("UPDATE app SET environment = \(environment) WHERE id = \(app)")
            try session.announce([.apps])
        }
    }

    package func setStrict(_ isStrict: Bool, of app: App.ID) async throws {
        try await change { session -> Void in
            try session.queue("UPDATE app SET isStrict = \(isStrict) WHERE id = \(app)")
            try session.announce([.apps])
        }
    }

    package func setQuietHours(_ hours: QuietHours?, of app: App.ID) async throws {
        try await change { session -> Void in
            try session.queue("UPDATE app SET quietHours = \(hours?.json.text) WHERE id = \(app)")
            try session.announce([.apps])
        }
    }

    package func segments() async throws -> [(app: App.ID, segment: Segment)] {
        try await rows("SELECT app, name, rule FROM segment ORDER BY app, name") { row in
            let (app, name) = (row.app(0), row.text(1))
            return try readable(row, named: "segment \(name) of app \(app)") { row in
                (app: app, segment: try Segment(name: name, rule: JSONValue(parsing: row.text(2))))
            }
        }.compactMap(\.self)
    }

    package func setSegment(_ segment: Segment, of app: App.ID) async throws {
        try await change { session -> Void in
            try session.queue(
                """
                INSERT INTO segment (app, name, rule) VALUES (\(app), \(segment.name), \(segment.rule.text))
                ON CONFLICT (app, name) DO UPDATE SET rule = excluded.rule
                """
            )
            try session.announce([.apps])
        }
    }

    package func deleteSegment(_ name: String, of app: App.ID) async throws -> Bool {
        try await change { session in
            let isDeleted = try session.execute("DELETE FROM segment WHERE app = \(app) AND name = \(name)") > 0
            if isDeleted { try session.announce([.apps]) }
            return isDeleted
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
            INSERT INTO app (id, key, secretHash, name, bundleID, environment, createdAt)
            SELECT coalesce(max(id), 0) + 1, \(draft.key.text), \(draft.secretHash.bytes), \(draft.name),
                \(draft.bundleID), \(draft.defaultEnvironment), \(draft.createdAt) FROM app RETURNING id
            """
        )
        app.id = App.ID(truncatingIfNeeded: id)
        return app
    }
}

extension App {
    /// The columns for ``init(_:)``, in order.
    package static let columns = "id, key, secretHash, name, bundleID, environment, createdAt, quietHours, isStrict"
    /// The number of columns.
    package static let columnCount = 9

    package init(_ row: any SQLRow) throws {
        let text = row.text(1)
        guard let key = AppKey(text) else { throw CorruptRow(table: "app", column: "key", found: text) }
        self.init(
            id: row.app(0),
            key: key,
            secretHash: SecretHash(bytes: row.bytes(2)),
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
    }
}
