/// The registry's data, which is read once at start, and the attributes of devices for new segments.
package protocol AudienceStore: Sendable {
    /// Reads the registry's data on all devices of all apps, in parts, several of which may be passed concurrently. Called once at
    /// start.
    func audience(_ each: @escaping @Sendable (AudienceRows) -> Void) async throws
    /// Reads the tags that stay known without a device. Called once at start.
    func storedTags(_ each: @escaping @Sendable (App.ID, [String]) -> Void) async throws
    /// Reads all imported ids in parts. Called once at start.
    func importedIDs(_ each: @escaping @Sendable ([ImportedID]) -> Void) async throws
    /// Returns the app's next devices that have attributes, from an ordinal on, in its order.
    func attributes(of app: App.ID, from first: DeviceOrdinal, limit: Int) async throws -> [StoredAttributes]
}

/// The attributes of a device in the store.
package struct StoredAttributes: Sendable {
    package var ordinal: DeviceOrdinal
    package var version: UInt32
    package var attributes: [String: String]

    package init(_ ordinal: DeviceOrdinal, version: UInt32, _ attributes: [String: String]) {
        (self.ordinal, self.version, self.attributes) = (ordinal, version, attributes)
    }
}
