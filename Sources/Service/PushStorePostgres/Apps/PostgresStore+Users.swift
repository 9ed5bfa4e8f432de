import Foundation
import PostgresClient
package import PushService

// The portal's users.
extension PostgresStore {
    package func users() async throws -> [User] {
        try await readOnce { [damaged] connection in
            try connection.execute("SELECT \(User.columns) FROM \"user\" ORDER BY name").compactMap { row in
                do { return try User(row) } catch {
                    damaged("user \(row.text(0)): \(error)")
                    return nil
                }
            }
        }
    }

    package func user(_ name: String) async throws -> User? {
        try await readOnce { connection in
            try connection.execute("SELECT \(User.columns) FROM \"user\" WHERE name = $1", .text(name))
                .first.map { try User($0) }
        }
    }

    package func createUser(_ user: User, onlyFirst: Bool) async throws -> Bool {
        try await Self.unique("The user name \(user.name) is taken.") {
            try await write { session in
                if onlyFirst {
                    // Two transactions that see no user would both create one.
                    try session.connection.execute("LOCK TABLE \"user\" IN SHARE ROW EXCLUSIVE MODE")
                    guard try session.connection.execute("SELECT 1 FROM \"user\" LIMIT 1").isEmpty else { return false }
                }
                try session.connection.execute(
                    "INSERT INTO \"user\" (\(User.columns)) VALUES ($1, $2, $3, $4)",
                    .text(user.name),
                    .text(user.role.rawValue),
                    .text(user.password.text),
                    .date(user.createdAt)
                )
                return true
            }
        }
    }

    package func setUser(_ name: String, role: Role?, password: PasswordHash?) async throws -> UserChange {
        try await write { session in
            if let role, role != .admin, try Self.isLastAdministrator(name, session.connection) {
                return .lastAdministrator
            }
            let changed = try session.connection.execute(
                "UPDATE \"user\" SET role = coalesce($1, role), password = coalesce($2, password) WHERE name = $3",
                .optional(role?.rawValue),
                .optional(password?.text),
                .text(name)
            )
            return changed.affected > 0 ? .done : .notFound
        }
    }

    package func removeUser(_ name: String) async throws -> UserChange {
        try await write { session in
            if try Self.isLastAdministrator(name, session.connection) { return .lastAdministrator }
            let removed = try session.connection.execute("DELETE FROM \"user\" WHERE name = $1", .text(name))
            return removed.affected > 0 ? .done : .notFound
        }
    }

    /// Keeps other transactions from changing administrators until the commit, so that of the last two one stays.
    private static func isLastAdministrator(_ name: String, _ connection: PostgresConnection) throws -> Bool {
        try connection.execute("LOCK TABLE \"user\" IN SHARE ROW EXCLUSIVE MODE")
        return try connection.execute("SELECT name FROM \"user\" WHERE role = 'admin' LIMIT 2").map { $0.text(0) } == [
            name
        ]
    }
}

extension User {
    /// The columns for ``init(_:)``, in order.
    fileprivate static let columns = "name, role, password, createdAt"

    fileprivate init(_ row: PostgresRow) throws {
        guard let password = PasswordHash(row.text(2)) else {
            throw CorruptRow(table: "user", column: "password", found: "\(row.text(2).count) characters")
        }
        self.init(
            name: row.text(0),
            role: try row.word(1, "role", of: "user"),
            password: password,
            createdAt: row.date(3)
        )
    }
}
