package import Foundation
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
        try await records("FROM pushTemplate WHERE app = \(app) ORDER BY number")
    }

    package func template(_ id: String, of app: App.ID) async throws -> TemplateRecord? {
        try await record("FROM pushTemplate WHERE id = \(id) AND app = \(app)")
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

    package func createPlan(_ plan: PushPlan, limit: Int) async throws -> Bool {
        try await unique("There is a push plan '\(plan.name)' already.") {
            try await change { session in
                // The limit holds for all nodes.
                try session.lock(.number(0x706C << 32 | Int64(plan.app)))
                return try session.execute(
                    """
                    INSERT INTO pushPlan (app, name, description, createdAt, pushCount)
                    SELECT \(plan.app), \(plan.name), \(plan.description), \(plan.createdAt), 0
                    WHERE (SELECT count(*) FROM pushPlan WHERE app = \(plan.app)) < \(limit)
                    """
                ) > 0
            }
        }
    }

    package func setPlanDescription(_ description: String, _ name: String, of app: App.ID) async throws -> Bool {
        try await execute("UPDATE pushPlan SET description = \(description) WHERE app = \(app) AND name = \(name)") > 0
    }

    package func plans(of app: App.ID) async throws -> [PushPlan] {
        try await records("FROM pushPlan WHERE app = \(app) ORDER BY createdAt, name")
    }

    package func plan(_ name: String, of app: App.ID) async throws -> PushPlan? {
        try await record("FROM pushPlan WHERE app = \(app) AND name = \(name)")
    }

    package func deletePlan(_ name: String, of app: App.ID, limit: Int) async throws -> Bool? {
        try await change { session in
            let plan: PushPlan? = try session.record("FROM pushPlan WHERE app = \(app) AND name = \(name)")
            guard plan != nil else { return nil }
            // The labels first: another plan of this name must not have the pushes of this one.
            let labels = try session.execute(
                """
                DELETE FROM planMessage WHERE message IN (
                    SELECT message FROM planMessage WHERE app = \(app) AND plan = \(name) LIMIT \(limit)
                )
                """
            )
            guard labels < limit else { return false }
            try session.queue("DELETE FROM pushPlan WHERE app = \(app) AND name = \(name)")
            return true
        }
    }

    package func label(_ pushes: [(message: MessageID, plan: String)], of app: App.ID, at date: Date) async throws {
        try await change { session in
            for (message, plan) in pushes {
                try session.queue(
                    "INSERT INTO planMessage (message, app, plan) VALUES (\(message), \(app), \(plan)) ON CONFLICT (message) DO NOTHING"
                )
            }
            // In one order, so that two transactions do not wait for each other.
            for (plan, pushes) in Dictionary(grouping: pushes, by: \.plan).sorted(by: { $0.key < $1.key }) {
                try session.queue(
                    """
                    UPDATE pushPlan SET pushCount = pushCount + \(pushes.count), lastUsedAt = \(date)
                    WHERE app = \(app) AND name = \(plan)
                    """
                )
            }
        }
    }

    package func messages(ofPlan name: String, of app: App.ID, limit: Int) async throws -> [MessageID] {
        try await rows(
            "SELECT message FROM planMessage WHERE app = \(app) AND plan = \(name) ORDER BY message DESC LIMIT \(limit)"
        ) { $0.message(0) }
    }
}

extension TemplateRecord: SQLRecord {
    package static let columns = "id, app, name, push, createdAt"

    package init(_ row: any SQLRow) throws {
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

extension PushPlan: SQLRecord {
    package static let columns = "app, name, description, createdAt, pushCount, lastUsedAt"

    package init(_ row: any SQLRow) {
        self.init(app: row.app(0), name: row.text(1), description: row.text(2), createdAt: row.date(3))
        pushCount = row.int(4)
        lastUsedAt = row.optionalDate(5)
    }
}
