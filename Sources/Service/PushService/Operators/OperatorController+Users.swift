import Dispatch
import Foundation
import PushClock
import PushModel

extension OperatorController {
    /// `{"name", "role", "password", "only_first"?}`; with `only_first`, only while there is no user.
    func createUser(_ parameters: JSONReader) async throws -> JSONObject {
        let onlyFirst: Bool = try parameters.optional("only_first", .bool) ?? false
        // Before the password is hashed, which takes long.
        if onlyFirst { guard try await store.users().isEmpty else { throw Self.hasUsers } }
        let name = try parameters.string("name")
        guard User.isName(name) else {
            throw parameters.problem(
                "name",
                found: .string(name),
                expected: "1 to 64 letters, digits, '.', '_', '-' and '@'"
            )
        }
        let role: Role = try parameters.need("role", .word)
        let password = try password(parameters)
        let user = User(name: name, role: role, password: try await hash(password), createdAt: clock.date)
        do {
            guard try await store.createUser(user, onlyFirst: onlyFirst) else { throw Self.hasUsers }
        } catch StoreError.duplicate {
            throw OperatorError(.conflict, Remark(.userExists, ["name": name]))
        }
        return user.members
    }

    func listUsers() async throws -> JSONObject {
        ["users": .array(try await store.users().map { .object($0.members) })]
    }

    /// `{"name", "role"?, "password"?}`; what is missing stays.
    func setUser(_ parameters: JSONReader) async throws -> JSONObject {
        let name = try parameters.string("name")
        let role: Role? = try parameters.optional("role", .word)
        var hash: PasswordHash?
        if parameters["password"] ?? .null != .null { hash = try await self.hash(try password(parameters)) }
        try Self.check(try await store.setUser(name, role: role, password: hash), of: name)
        guard let user = try await store.user(name) else { throw Self.noUser(name) }
        return user.members
    }

    /// `{"name"}`.
    func removeUser(_ parameters: JSONReader) async throws -> JSONObject {
        let name = try parameters.string("name")
        guard let user = try await store.user(name) else { throw Self.noUser(name) }
        try Self.check(try await store.removeUser(name), of: name)
        return user.members
    }

    /// `{"name", "password"}`. The answer to an unknown name takes as long as that to a wrong password.
    func verifyUser(_ parameters: JSONReader) async throws -> JSONObject {
        let name = try parameters.string("name")
        let password = try parameters.string("password")
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
        guard let user, isRight else {
            throw OperatorError(.unauthorized, Remark(.userNotVerified))
        }
        return user.members
    }

    // MARK: - Passwords

    /// One hash at a time: each takes 32 MiB of memory.
    private static let hashing = AsyncMutex()

    private func hash(_ password: String) async throws -> PasswordHash {
        try await Self.hashing.withLock { try await onThread { try PasswordHash(of: password) } }
    }

    private func password(_ parameters: JSONReader) throws -> String {
        let password = try parameters.string("password")
        let lengths = User.passwordLengths
        guard lengths.contains(password.utf8.count) else {
            let values = [
                "bytes": password.utf8.count, "least": lengths.lowerBound, "most": lengths.upperBound,
            ]
            throw OperatorError(.badRequest, Remark(.passwordLength, values))
        }
        return password
    }

    private static func check(_ change: UserChange, of name: String) throws(OperatorError) {
        switch change {
        case .done: break
        case .notFound: throw noUser(name)
        case .lastAdministrator:
            throw OperatorError(.conflict, Remark(.userLastAdministrator, ["name": name]))
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

extension User {
    /// The user as an operator sees it.
    fileprivate var members: JSONObject {
        [
            "name": .string(name), "role": .string(role.rawValue), "created_at": .date(createdAt),
            "version": .string(version),
        ]
    }
}
