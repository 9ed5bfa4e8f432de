/// The audit log.
package protocol AuditStore: Sendable {
    /// Adds an entry; its id is assigned.
    func appendAudit(_ entry: AuditEntry) async throws
    /// The entries before one, the newest first.
    ///
    /// - `id`: the entry to begin before; nil for the newest.
    func auditEntries(before id: AuditEntry.ID?, limit: Int) async throws -> [AuditEntry]
}
