/// The users of the portal.
package protocol UserStore: Sendable {
    /// All users, by name.
    func users() async throws -> [User]
    func user(_ name: String) async throws -> User?
    /// Whether a user was ever created, also if it was removed since.
    func hasHadUser() async throws -> Bool
    /// Creates a user; with `onlyFirst` returns false if one was ever created. One of several such calls at once succeeds,
    /// at whatever node.
    ///
    /// - Throws: ``StoreError/duplicate`` if the name is taken.
    func createUser(_ user: User, onlyFirst: Bool) async throws -> Bool
    /// Changes the role, the password, or both.
    ///
    /// - Returns: the outcome; ``UserChange/lastAdministrator`` if nobody could change users afterwards, and nothing changed.
    func setUser(_ name: String, role: Role?, password: PasswordHash?) async throws -> UserChange
    /// Removes a user; see ``setUser(_:role:password:)``.
    func removeUser(_ name: String) async throws -> UserChange
}

/// The outcome of a change of a user.
package enum UserChange: Hashable, Sendable {
    case done
    /// There is no user with this name.
    case notFound
    /// The user is the only administrator and must stay one.
    case lastAdministrator
}
