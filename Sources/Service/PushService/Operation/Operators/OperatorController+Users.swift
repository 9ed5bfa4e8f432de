import Dispatch
package import Foundation
import PushClock
import PushModel

extension OperatorController {
    /// Creates a user; with `onlyFirst`, only if there was never one.
    func createUser(_ name: String, _ role: Role, password: String, onlyFirst: Bool?) async throws -> UserAnswer {
        let onlyFirst = onlyFirst ?? false
        // Before the password is hashed, which takes long.
        if onlyFirst { guard try await !hasHadUser() else { throw Self.hasUsers } }
        guard User.isName(name) else {
            throw JSONProblem("name", found: .string(name), expected: "1 to 64 letters, digits, '.', '_', '-' and '@'")
        }
        let user = User(name: name, role: role, password: try await hash(password), createdAt: clock.date)
        do {
            guard try await store.createUser(user, onlyFirst: onlyFirst) else { throw Self.hasUsers }
        } catch StoreError.duplicate {
            throw OperatorError(.conflict, Remark(.userExists, ["name": name]))
        }
        return UserAnswer(user)
    }

    /// Creates a user who may do everything, with a random password, for a stack that lasts as long as a test. The hash is a light one:
    /// the usual one took two fifths of a sandbox's start.
    ///
    /// - Returns: the password.
    package func createAdministrator(_ name: String) async throws -> String {
        var random = SystemRandomNumberGenerator()
        let password = random.hexadecimalDigits(20)
        let hash = try PasswordHash(of: password, cost: .light)
        _ = try await store.createUser(
            User(name: name, role: .admin, password: hash, createdAt: clock.date),
            onlyFirst: false
        )
        let parameters: JSONObject = [
            "name": .string(name), "role": .string(Role.admin.rawValue), "password": .string(password),
        ]
        try await record(.userCreate, parameters, by: Actor(name: "command line"))
        return password
    }

    /// Whether a user was ever created.
    package func hasHadUser() async throws -> Bool { try await store.hasHadUser() }

    package func listUsers() async throws -> UserListAnswer {
        UserListAnswer(users: try await store.users().map(UserAnswer.init))
    }

    /// Changes a user; what is nil stays.
    func setUser(_ name: String, _ role: Role?, password: String?) async throws -> UserAnswer {
        var hash: PasswordHash?
        if let password { hash = try await self.hash(password) }
        try Self.check(try await store.setUser(name, role: role, password: hash), of: name)
        guard let user = try await store.user(name) else { throw Self.noUser(name) }
        return UserAnswer(user)
    }

    func removeUser(_ name: String) async throws -> UserAnswer {
        guard let user = try await store.user(name) else { throw Self.noUser(name) }
        try Self.check(try await store.removeUser(name), of: name)
        return UserAnswer(user)
    }

    /// Checks a password. The answer to an unknown name takes as long as that to a wrong password.
    ///
    /// No hash is computed of a text whose length no password has, whoever's it is.
    func verifyUser(_ name: String, password: String) async throws -> UserAnswer {
        guard User.passwordLengths.contains(password.utf8.count) else {
            throw OperatorError(.unauthorized, Remark(.userNotVerified))
        }
        let user = try await store.user(name)
        let isRight = try await Self.hashing.withLock {
            try await onThread {
                guard let user else {
                    _ = try PasswordHash(of: password)
                    return false
                }
                return try user.password.matches(password)
            }
        }
        guard let user, isRight else { throw OperatorError(.unauthorized, Remark(.userNotVerified)) }
        return UserAnswer(user)
    }

    // MARK: - Passwords

    /// One hash at a time: each takes 32 MiB of memory.
    private static let hashing = AsyncMutex()

    /// Returns the hash of a new password.
    private func hash(_ password: String) async throws -> PasswordHash {
        let lengths = User.passwordLengths
        guard lengths.contains(password.utf8.count) else {
            let values = ["bytes": password.utf8.count, "least": lengths.lowerBound, "most": lengths.upperBound]
            throw OperatorError(.badRequest, Remark(.passwordLength, values))
        }
        return try await Self.hashing.withLock { try await onThread { try PasswordHash(of: password) } }
    }

    private static func check(_ change: UserChange, of name: String) throws(OperatorError) {
        switch change {
        case .done: break
        case .notFound: throw noUser(name)
        case .lastAdministrator: throw OperatorError(.conflict, Remark(.userLastAdministrator, ["name": name]))
        }
    }

    private static let hasUsers = OperatorError(.conflict, Remark(.usersExist))

    private static func noUser(_ name: String) -> OperatorError {
        OperatorError(.notFound, Remark(.userUnknown, ["name": name]))
    }
}

/// Runs work that takes long on a thread that no task waits for.
private func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Swift.Result(catching: body)) }
    }
}

/// A user of the portal as an operator sees it.
package struct UserAnswer: Codable, Hashable, Sendable {
    package let name: String
    package let role: Role
    package let createdAt: Date
    /// See ``User/version``.
    package let version: String

    init(_ user: User) {
        name = user.name
        role = user.role
        createdAt = user.createdAt
        version = user.version
    }
}

package struct UserListAnswer: Codable, Sendable { package let users: [UserAnswer] }
