package import PushModel

/// How far the logs of all nodes were read: the last position by node. A node without an entry has not been read at all.
package typealias FeedPositions = [NodeID: Int64]

/// A change of the registry's data, as read from the log of the node that made it.
package enum FeedChange: Hashable, Sendable {
    /// The current state of a device that was created or changed.
    case device(AudienceEntry)
    /// The device was deleted. Its ordinal is never used again.
    case deviceDeleted(DeviceID)
    /// An app was created, changed or deleted.
    case apps
    /// The credential or the certificates of an app have changed.
    case credentials(App.ID)
    /// Imported ids that have come to an app, or changed their device.
    case importedIDs([ImportedID])
    /// Tags that stay known without a device.
    case tagsKept([String], App.ID)
    /// A tag that is known only as long as a device has it.
    case tagForgotten(String, App.ID)
    /// A message was withdrawn by its sender.
    case withdrawn(MessageID)
    /// A device that had a link to `from` has opened link `number` at another node.
    case linkMoved(DeviceID, from: NodeID, number: Int64)
}

/// An entry of a node's log.
package struct FeedEntry: Hashable, Sendable {
    package var node: NodeID
    /// The position in the node's log, from 1; ascending, with gaps.
    package var position: Int64
    package var change: FeedChange

    package init(node: NodeID, position: Int64, change: FeedChange) {
        self.node = node
        self.position = position
        self.change = change
    }
}

/// A part of the logs.
package struct FeedPage: Hashable, Sendable {
    /// The entries, ascending by position within each node. A device that changed several times may occur once, with its last state.
    package var entries: [FeedEntry]
    /// The positions through which `entries` is complete.
    package var through: FeedPositions
    /// Whether there may be more.
    package var hasMore: Bool
    /// Whether entries between the requested positions and `entries` were deleted: the reader has to read everything again.
    package var isTruncated: Bool
    /// The time since the first of `entries` was written, by the clock of the store, in milliseconds; 0 if there are none.
    package var age: Int

    package init(
        entries: [FeedEntry],
        through: FeedPositions,
        hasMore: Bool = false,
        isTruncated: Bool = false,
        age: Int = 0
    ) {
        self.entries = entries
        self.through = through
        self.hasMore = hasMore
        self.isTruncated = isTruncated
        self.age = age
    }
}

/// The logs of registry changes. A change and its entry are written in one transaction.
///
/// Each node writes its own log and commits in the order of the positions: once a position can be read, no entry of that node
/// appears before it. So no reader skips an entry, whatever other nodes write meanwhile.
package protocol FeedStore: Sendable {
    /// Returns the positions of the last entries. Everything up to them is visible to reads that begin afterwards.
    func feedEnd() async throws -> FeedPositions
    /// Reads the next entries after the positions (0 for nodes that they lack), without those of the reading node itself,
    /// and the current states of their devices.
    func changes(after positions: FeedPositions, for reader: NodeID, limit: Int) async throws -> FeedPage
    /// Waits for the end of this process's transactions whose commit was not answered. Their changes are in the log of this node if they
    /// were committed, and whoever made them was told that they failed.
    ///
    /// - Returns: a position in the log of this node before all of these changes; nil if there were none since the last call.
    /// - Throws: the error of the store; then the next call tries again.
    func takeUnansweredPosition() async throws -> Int64?
    /// Deletes up to `limit` entries older than `age`, by the clock of the store.
    ///
    /// - Returns: whether there may be more to delete.
    func deleteChanges(olderThan age: Duration, limit: Int) async throws -> Bool
}

/// Devices that other nodes have registered or change at the same time.
package protocol SharedDeviceStore: Sendable {
    /// Returns an app's devices with these ordinals, registration ids or aliases, in no particular order, each once.
    func lookUp(_ names: DeviceNames, of app: App.ID) async throws -> FoundDevices
    /// Changes a device, if there is one, and adds tags that stay known without a device, in one transaction. The change takes a place
    /// under an alias, which other devices may lose.
    ///
    /// - Returns: the device, and those that have lost the alias; empty if there is no such device.
    /// - Throws: the error of `change`, or ``AliasIsFull`` if other devices have the alias, and too few of them may lose it; then nothing
    ///   has changed.
    func updateDevice(
        _ id: DeviceID,
        keepingTags tags: [String],
        claiming claim: AliasClaim,
        _ change: @escaping @Sendable (inout RegisteredDevice) throws -> Void
    ) async throws -> [RegisteredDevice]
}

/// The names by which devices are looked up.
package struct DeviceNames: Hashable, Sendable {
    package var ordinals: [DeviceOrdinal] = []
    /// Registration ids that the service did not create.
    package var importedIDs: [RegistrationID] = []
    package var aliases: [String] = []

    package init(ordinals: [DeviceOrdinal] = [], importedIDs: [RegistrationID] = [], aliases: [String] = []) {
        self.ordinals = ordinals
        self.importedIDs = importedIDs
        self.aliases = aliases
    }

    package var isEmpty: Bool { ordinals.isEmpty && importedIDs.isEmpty && aliases.isEmpty }
}

/// The devices that a lookup has found.
package struct FoundDevices: Hashable, Sendable {
    package var devices: [AudienceEntry]
    /// The imported ids among the names, with their devices.
    package var importedIDs: [ImportedID]

    package init(devices: [AudienceEntry], importedIDs: [ImportedID]) {
        self.devices = devices
        self.importedIDs = importedIDs
    }
}
