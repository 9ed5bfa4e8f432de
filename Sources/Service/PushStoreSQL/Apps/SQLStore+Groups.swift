package import Foundation
package import PushModel
package import PushService

extension SQLStore {
    package func groups() async throws -> [AppGroup] {
        try await query { [self] session in
            let groups = try session.rows(
                "SELECT \(raw: AppGroup.columns) FROM appGroup WHERE deletedAt IS NULL ORDER BY id"
            ) { row in
                try readable(row, named: "group \(row.int64(0))", AppGroup.init)
            }.compactMap(\.self)
            var members: [AppGroup.ID: [App.ID]] = [:]
            try session.forEach("SELECT appGroup, app FROM appGroupMember ORDER BY appGroup, app") { row in
                members[row.int64(0), default: []].append(row.app(1))
            }
            return groups.map { group in
                var group = group
                group.apps = members[group.id] ?? []
                return group
            }
        }
    }

    package func group(_ key: GroupKey) async throws -> AppGroup? {
        try await query { session in
            let found: AppGroup? = try session.record("FROM appGroup WHERE key = \(key.text) AND deletedAt IS NULL")
            guard var group = found else { return nil }
            group.apps = try session.rows(
                "SELECT app FROM appGroupMember WHERE appGroup = \(group.id) ORDER BY app"
            ) { $0.app(0) }
            return group
        }
    }

    package func createGroup(_ draft: AppGroup) async throws -> AppGroup {
        try await unique("The group key \(draft.key) is taken.") {
            try await change { session in
                var group = draft
                group.id = try session.number(
                    """
                    INSERT INTO appGroup (key, secretHash, name, createdAt) VALUES (\(group.key.text),
                        \(group.secretHash.bytes), \(group.name), \(group.createdAt)) RETURNING id
                    """
                )
                try session.add(group.apps, to: group.id)
                return group
            }
        }
    }

    package func changeGroup(_ id: AppGroup.ID, adding added: [App.ID], removing removed: [App.ID]) async throws {
        try await change { session in
            for app in removed {
                try session.queue("DELETE FROM appGroupMember WHERE appGroup = \(id) AND app = \(app)")
            }
            try session.add(added, to: id)
        }
    }

    package func deleteGroup(_ id: AppGroup.ID, at date: Date) async throws -> Bool {
        try await change { session in
            // The row stays: the id is in the rows of its pushes.
            let isDeleted = try session.execute(
                """
                UPDATE appGroup SET deletedAt = \(date), secretHash = \(.bytes([])), formerSecrets = NULL
                WHERE id = \(id) AND deletedAt IS NULL
                """
            )
            try session.queue("DELETE FROM appGroupMember WHERE appGroup = \(id)")
            return isDeleted > 0
        }
    }
}

extension SQLSession {
    fileprivate func add(_ apps: [App.ID], to group: AppGroup.ID) throws {
        for app in apps {
            try queue("INSERT INTO appGroupMember (appGroup, app) VALUES (\(group), \(app)) ON CONFLICT DO NOTHING")
        }
    }
}

extension AppGroup: SQLRecord {
    package static let columns = "id, key, secretHash, name, createdAt, formerSecrets"

    /// Creates a group without its apps.
    package init(_ row: any SQLRow) throws {
        self.init(
            id: row.int64(0),
            key: try row.value(1, "key", of: "appGroup") { GroupKey($0) },
            secretHash: SecretHash(bytes: row.bytes(2)),
            formerSecrets: try row.formerSecrets(5, of: "appGroup"),
            name: row.text(3),
            createdAt: row.date(4),
            apps: []
        )
    }
}
