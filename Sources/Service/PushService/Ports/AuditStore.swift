package import Foundation

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
