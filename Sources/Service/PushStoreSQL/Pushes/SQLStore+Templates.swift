package import PushModel
package import PushService

extension SQLStore {
    package func createTemplate(_ record: TemplateRecord, limit: Int) async throws -> Bool {
        try await change { session in
            // The limit holds for all nodes.
            try session.lock(.number(0x7470 << 32 | Int64(record.app)))
            return try session.execute(
                """
                INSERT INTO pushTemplate (id, app, name, push, createdAt)
                SELECT \(record.id), \(record.app), \(record.template.name), \(JSONValue.object(record.template.push).bytes),
                    \(record.createdAt)
                WHERE (SELECT count(*) FROM pushTemplate WHERE app = \(record.app)) < \(limit)
                """
            ) > 0
        }
    }

    package func templates(of app: App.ID) async throws -> [TemplateRecord] {
        try await rows(
            "SELECT \(raw: TemplateRecord.columns) FROM pushTemplate WHERE app = \(app) ORDER BY number",
            read: TemplateRecord.init
        )
    }

    package func template(_ id: String, of app: App.ID) async throws -> TemplateRecord? {
        try await first(
            "SELECT \(raw: TemplateRecord.columns) FROM pushTemplate WHERE id = \(id) AND app = \(app)",
            read: TemplateRecord.init
        )
    }

    package func setTemplate(_ template: PushTemplate, _ id: String, of app: App.ID) async throws -> Bool {
        try await execute(
            """
            UPDATE pushTemplate SET name = \(template.name), push = \(JSONValue.object(template.push).bytes)
            WHERE id = \(id) AND app = \(app)
            """
        ) > 0
    }

    package func deleteTemplate(_ id: String, of app: App.ID) async throws -> Bool {
        try await execute("DELETE FROM pushTemplate WHERE id = \(id) AND app = \(app)") > 0
    }
}

extension TemplateRecord {
    /// The columns for ``init(_:)``, in order.
    fileprivate static let columns = "id, app, name, push, createdAt"

    fileprivate init(_ row: any SQLRow) throws {
        let push = row.bytes(3)
        guard let object = (try? JSONValue(parsing: push))?.object else {
            throw CorruptRow(table: "pushTemplate", column: "push", found: String(decoding: push, as: UTF8.self))
        }
        self.init(
            id: row.text(0),
            app: row.app(1),
            template: PushTemplate(name: row.text(2), push: object),
            createdAt: row.date(4)
        )
    }
}
