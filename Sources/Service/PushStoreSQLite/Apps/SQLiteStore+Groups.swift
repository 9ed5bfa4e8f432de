package import Foundation
import GRDB
package import PushModel
package import PushService

extension SQLiteStore {
    package func groups() async throws -> [AppGroup] {
        try await read { [damage] database in
            try Row.fetchAll(database, sql: "SELECT * FROM appGroup ORDER BY id").compactMap { row in
                try damage.readable("group \(row["id"] as Int64)") { try Self.group(row, in: database) }
            }
        }
    }

    package func group(_ key: GroupKey) async throws -> AppGroup? {
        try await read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM appGroup WHERE key = ?", arguments: [key.text]).map { row in
                try Self.group(row, in: database)
            }
        }
    }

    private static func group(_ row: Row, in database: Database) throws -> AppGroup {
        let key: String = row["key"]
        guard let groupKey = GroupKey(key) else { throw CorruptRow(table: "appGroup", column: "key", found: key) }
        return AppGroup(
            id: row["id"],
            key: groupKey,
            secretHash: SecretHash(bytes: Array(row["secretHash"] as Data)),
            name: row["name"],
            createdAt: Date(milliseconds: row["createdAt"]),
            apps: try App.ID.fetchAll(
                database,
                sql: "SELECT app FROM appGroupMember WHERE appGroup = ? ORDER BY app",
                arguments: [row["id"] as Int64]
            )
        )
    }

    package func createGroup(_ draft: AppGroup) async throws -> AppGroup {
        try await writes.write { database in
            var group = draft
            do {
                try database.execute(
                    sql: "INSERT INTO appGroup (key, secretHash, name, createdAt) VALUES (?, ?, ?, ?)",
                    arguments: [
                        group.key.text, Data(group.secretHash.bytes), group.name, group.createdAt.milliseconds,
                    ]
                )
            } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
                throw StoreError.duplicate("The group key \(group.key) is taken.")
            }
            group.id = database.lastInsertedRowID
            try Self.add(group.apps, to: group.id, in: database)
            return group
        }
    }

    package func changeGroup(_ id: AppGroup.ID, adding added: [App.ID], removing removed: [App.ID]) async throws {
        try await writes.write { database in
            for app in removed {
                try database.execute(
                    sql: "DELETE FROM appGroupMember WHERE appGroup = ? AND app = ?",
                    arguments: [id, app]
                )
            }
            try Self.add(added, to: id, in: database)
        }
    }

    private static func add(_ apps: [App.ID], to group: AppGroup.ID, in database: Database) throws {
        for app in apps {
            try database.execute(
                sql: "INSERT OR IGNORE INTO appGroupMember (appGroup, app) VALUES (?, ?)",
                arguments: [group, app]
            )
        }
    }

    package func deleteGroup(_ id: AppGroup.ID) async throws -> Bool {
        try await writes.write { database in
            try database.execute(sql: "DELETE FROM appGroup WHERE id = ?", arguments: [id])
            return database.changesCount > 0
        }
    }

    package func groupPush(_ id: String, of group: AppGroup.ID) async throws -> GroupPush? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM groupPush WHERE id = ? AND appGroup = ?",
                arguments: [id, group]
            ).map { try Self.groupPush($0, in: database) }
        }
    }

    package func groupPush(ofCID cid: String, of group: AppGroup.ID, since date: Date) async throws -> GroupPush? {
        try await read { try Self.groupPush(ofCID: cid, of: group, since: date, in: $0) }
    }

    private static func groupPush(
        ofCID cid: String,
        of group: AppGroup.ID,
        since date: Date,
        in database: Database
    ) throws -> GroupPush? {
        try Row.fetchOne(
            database,
            sql:
                "SELECT * FROM groupPush WHERE appGroup = ? AND cid = ? AND acceptedAt >= ? ORDER BY acceptedAt LIMIT 1",
            arguments: [group, cid, date.milliseconds]
        ).map { try groupPush($0, in: database) }
    }

    package func accept(
        _ push: GroupPush,
        _ pushes: [PreparedPush],
        cidsSince: Date
    ) async throws -> GroupPush? {
        try await writes.write { [self] database in
            if let cid = push.cid,
                let first = try Self.groupPush(ofCID: cid, of: push.group, since: cidsSince, in: database)
            {
                return first
            }
            try database.execute(
                sql: "INSERT INTO groupPush (id, appGroup, cid, acceptedAt, answer) VALUES (?, ?, ?, ?, ?)",
                arguments: [push.id, push.group, push.cid, push.acceptedAt.milliseconds, push.answer.text]
            )
            for (app, message) in push.messages {
                try database.execute(
                    sql: "INSERT INTO groupPushMessage (groupPush, app, message) VALUES (?, ?, ?)",
                    arguments: [push.id, app, message.number]
                )
            }
            var kept = StoredPushes()
            try insert(pushes, cidsSince: cidsSince, into: database, &kept)
            return nil
        }
    }

    private static func groupPush(_ row: Row, in database: Database) throws -> GroupPush {
        let answer: String = row["answer"]
        guard let json = try? JSONValue(parsing: answer) else {
            throw CorruptRow(table: "groupPush", column: "answer", found: answer)
        }
        let messages = try Row.fetchAll(
            database,
            sql: "SELECT app, message FROM groupPushMessage WHERE groupPush = ?",
            arguments: [row["id"] as String]
        )
        return GroupPush(
            id: row["id"],
            group: row["appGroup"],
            cid: row["cid"],
            acceptedAt: Date(milliseconds: row["acceptedAt"]),
            answer: json,
            messages: Dictionary(
                uniqueKeysWithValues: messages.map { ($0["app"] as App.ID, MessageID($0["message"])) }
            )
        )
    }
}
