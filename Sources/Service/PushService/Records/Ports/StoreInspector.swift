/// Looks at the server of a store, or at its database, for `posthorn doctor`.
package protocol StoreInspector: Sendable {
    /// Returns the checks. A server that is away is a finding, too.
    func findings() async -> [Finding]
    /// Returns the size of the database in bytes; nil if it cannot be read.
    func bytes() async -> Int64?
    /// Frees what the store keeps of the database in memory, as far as it can be read again.
    func releaseMemory() async
}

extension StoreInspector {
    // A server has memory of its own.
    package func releaseMemory() async {}
}
