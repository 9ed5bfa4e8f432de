package import Foundation

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

/// The audit log.
package protocol AuditStore: Sendable {
    /// Adds an entry; its id is assigned.
    ///
    /// A refusal that equals one of the last ``AuditEntry/gatherSeconds`` is added to that entry's count, which is then the newest entry, and so are those of an actor
    /// beyond ``AuditEntry/refusalsListed``, to ``AuditEntry/furtherRefusal``. Of the entries before `date` the newest
    /// ``AuditEntry/kept`` of the log stay.
    func appendAudit(_ entry: AuditEntry, keepingFrom date: Date) async throws
    /// Whether the log says that a user has signed in to the portal from a network since a date.
    func hasSignedIn(_ user: String, from network: String, since date: Date) async throws -> Bool
    /// The entries before one, the newest first.
    ///
    /// - `id`: the entry to begin before; nil for the newest.
    func auditEntries(before id: AuditEntry.ID?, limit: Int) async throws -> [AuditEntry]
}
