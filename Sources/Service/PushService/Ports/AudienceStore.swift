/// The registry's data, which is read once at start.
package protocol AudienceStore: Sendable {
    /// Reads the registry's data on all devices of all apps, in parts, several of which may be passed concurrently. Called once at
    /// start.
    func audience(_ each: @escaping @Sendable (AudienceRows) -> Void) async throws
    /// Reads the tags that stay known without a device. Called once at start.
    func storedTags(_ each: @escaping @Sendable (App.ID, [String]) -> Void) async throws
    /// Reads all imported ids in parts. Called once at start.
    func importedIDs(_ each: @escaping @Sendable ([ImportedID]) -> Void) async throws
}
