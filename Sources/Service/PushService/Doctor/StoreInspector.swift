/// Looks at the server of a store for `posthorn doctor`.
package protocol StoreInspector: Sendable {
    /// Returns the checks of the server. A server that is away is a finding, too.
    func findings() async -> [Finding]
}
