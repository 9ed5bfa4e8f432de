import Foundation
import GRDB
package import PushService

extension SQLiteStore {
    package func users() async throws -> [User] {
        try await read { [damage] database in
            try Row.fetchAll(database, sql: "SELECT * FROM user ORDER BY name").compactMap { row in
                try damage.readable("user \(row["name"] as String)") { try User(row: row) }
            }
        }
    }

    package func user(_ name: String) async throws -> User? {
        try await read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM user WHERE name = ?", arguments: [name])
                .map(User.init(row:))
        }
    }

    package func createUser(_ user: User, onlyFirst: Bool) async throws -> Bool {
        try await writes.write { database in
            if onlyFirst, try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM user)") ?? false {
                return false
            }
            do {
                try database.execute(
                    sql: "INSERT INTO user (name, role, password, createdAt) VALUES (?, ?, ?, ?)",
                    arguments: [user.name, user.role.rawValue, user.password.text, user.createdAt.milliseconds]
                )
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                throw StoreError.duplicate("The user name \(user.name) is taken.")
            }
            return true
        }
    }

    package func setUser(_ name: String, role: Role?, password: PasswordHash?) async throws -> UserChange {
        try await writes.write { database in
            if let role, role != .admin, try Self.isLastAdministrator(name, database) { return .lastAdministrator }
            try database.execute(
                sql: "UPDATE user SET role = coalesce(?, role), password = coalesce(?, password) WHERE name = ?",
                arguments: [role?.rawValue, password?.text, name]
            )
            return database.changesCount > 0 ? .done : .notFound
        }
    }

    package func removeUser(_ name: String) async throws -> UserChange {
        try await writes.write { database in
            if try Self.isLastAdministrator(name, database) { return .lastAdministrator }
            try database.execute(sql: "DELETE FROM user WHERE name = ?", arguments: [name])
            return database.changesCount > 0 ? .done : .notFound
        }
    }

    private static func isLastAdministrator(_ name: String, _ database: Database) throws -> Bool {
        try String.fetchAll(database, sql: "SELECT name FROM user WHERE role = 'admin' LIMIT 2") == [name]
    }
}

extension User {
    fileprivate init(row: Row) throws {
        guard let role = Role(rawValue: row["role"]) else {
            throw CorruptRow(table: "user", column: "role", found: row["role"])
        }
        guard let password = PasswordHash(row["password"]) else {
            throw CorruptRow(
                table: "user",
                column: "password",
                found: "\((row["password"] as String).count) characters"
            )
        }
        self.init(name: row["name"], role: role, password: password, createdAt: Date(milliseconds: row["createdAt"]))
    }
}
