package import PushService

/// The setting of a store that has had a user.
private let mark = "user.first"

// The portal's users.
extension SQLStore {
    package func users() async throws -> [User] {
        try await readable("FROM \"user\" ORDER BY name") { "user \($0.text(0))" }
    }

    package func user(_ name: String) async throws -> User? {
        try await record("FROM \"user\" WHERE name = \(name)")
    }

    package func hasHadUser() async throws -> Bool { try await query { try $0.hasHadUser() } }

    package func createUser(_ user: User, onlyFirst: Bool) async throws -> Bool {
        try await unique("The user name \(user.name) is taken.") {
            try await change { session in
                if onlyFirst {
                    // Two transactions that see no user would both create one.
                    try session.lock(.table("\"user\""))
                    guard try !session.hasHadUser() else { return false }
                }
                try session.execute(
                    """
                    INSERT INTO "user" (\(raw: User.columns)) VALUES (\(user.name), \(user.role),
                        \(user.password.text), \(user.createdAt))
                    """
                )
                try session.queue(
                    "INSERT INTO setting (key, value) VALUES (\(mark), \([UInt8]())) ON CONFLICT (key) DO NOTHING"
                )
                return true
            }
        }
    }

    package func setUser(_ name: String, role: Role?, password: PasswordHash?) async throws -> UserChange {
        try await change { session in
            if let role, role != .admin, try session.isLastAdministrator(name) { return .lastAdministrator }
            let changed = try session.execute(
                """
                UPDATE "user" SET role = coalesce(\(role), role), password = coalesce(\(password?.text), password) WHERE name = \(name)
                """
            )
            return changed > 0 ? .done : .notFound
        }
    }

    package func removeUser(_ name: String) async throws -> UserChange {
        try await change { session in
            if try session.isLastAdministrator(name) { return .lastAdministrator }
            return try session.execute("DELETE FROM \"user\" WHERE name = \(name)") > 0 ? .done : .notFound
        }
    }
}

extension SQLSession {
    fileprivate func hasHadUser() throws -> Bool {
        // Stores of earlier versions have users without the setting.
        try number("SELECT (SELECT count(*) FROM \"user\") + (SELECT count(*) FROM setting WHERE key = \(mark))") > 0
    }

    /// Keeps other transactions from changing administrators until the commit, so that of the last two one stays.
    fileprivate func isLastAdministrator(_ name: String) throws -> Bool {
        try lock(.table("\"user\""))
        return try rows("SELECT name FROM \"user\" WHERE role = 'admin' LIMIT 2") { $0.text(0) } == [name]
    }
}

extension User: SQLRecord {
    package static let columns = "name, role, password, createdAt"

    package init(_ row: any SQLRow) throws {
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
