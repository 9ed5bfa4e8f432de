import Foundation
import PostgresClient
package import PushModel
package import PushService

extension PostgresStore {
    package func groups() async throws -> [AppGroup] {
        try await readOnce { [self] connection in
            let rows = try connection.execute("SELECT \(AppGroup.columns) FROM appGroup ORDER BY appGroup.id, app")
            let known = readable(rows, named: "group", AppGroup.init)
            return known.reduce(into: []) { groups, row in
                if groups.last?.id == row.id { groups[groups.count - 1].apps += row.apps } else { groups.append(row) }
            }
        }
    }

    package func group(_ key: GroupKey) async throws -> AppGroup? {
        try await readOnce { connection in
            let rows = try connection.execute(
                "SELECT \(AppGroup.columns) FROM appGroup WHERE key = $1 ORDER BY app",
                .text(key.text)
            )
            var group = try rows.first.map { try AppGroup($0) }
            group?.apps = rows.compactMap(AppGroup.app)
            return group
        }
    }

    package func createGroup(_ draft: AppGroup) async throws -> AppGroup {
        try await Self.unique("The group key \(draft.key) is taken.") {
            try await write { session in
                var group = draft
                let row = try session.connection.execute(
                    "INSERT INTO appGroup (key, secretHash, name, createdAt) VALUES ($1, $2, $3, $4) RETURNING id",
                    .text(group.key.text),
                    .bytes(group.secretHash.bytes),
                    .text(group.name),
                    .date(group.createdAt)
                ).first
                if let row { group.id = row.int64(0) }
                try Self.add(group.apps, to: group.id, in: session.connection)
                return group
            }
        }
    }

    package func changeGroup(
        _ id: AppGroup.ID,
        adding added: [App.ID],
        removing removed: [App.ID]
    ) async throws {
        try await write { session in
            try session.connection.execute(
                "DELETE FROM appGroupMember WHERE appGroup = $1 AND app = ANY ($2::bigint[])",
                .int64(id),
                .int64s(removed.map { Int64($0) })
            )
            try Self.add(added, to: id, in: session.connection)
        }
    }

    private static func add(_ apps: [App.ID], to group: AppGroup.ID, in connection: PostgresConnection) throws {
        guard !apps.isEmpty else { return }
        try connection.execute(
            "INSERT INTO appGroupMember (appGroup, app) SELECT $1, unnest($2::bigint[]) ON CONFLICT DO NOTHING",
            .int64(group),
            .int64s(apps.map { Int64($0) })
        )
    }

    package func deleteGroup(_ id: AppGroup.ID) async throws -> Bool {
        try await write { session in
            try session.connection.execute("DELETE FROM appGroup WHERE id = $1", .int64(id)).affected > 0
        }
    }
}

extension AppGroup {
    /// The columns for ``init(_:)``, in order. There is one row for each app of a group, and one for a group without apps.
    fileprivate static let columns = """
        appGroup.id, key, secretHash, name, createdAt,
        unnest(coalesce((SELECT array_agg(member.app ORDER BY member.app) FROM appGroupMember AS member
            WHERE member.appGroup = appGroup.id), ARRAY[NULL::bigint])) AS app
        """

    /// Creates a group with the app of the row alone.
    fileprivate init(_ row: PostgresRow) throws {
        let text = row.text(1)
        guard let key = GroupKey(text) else { throw CorruptRow(table: "appGroup", column: "key", found: text) }
        self.init(
            id: row.int64(0),
            key: key,
            secretHash: SecretHash(bytes: row.bytes(2)),
            name: row.text(3),
            createdAt: row.date(4),
            apps: Self.app(row).map { [$0] } ?? []
        )
    }

    fileprivate static func app(_ row: PostgresRow) -> App.ID? {
        row.optionalInt64(5).map { App.ID(truncatingIfNeeded: $0) }
    }
}
