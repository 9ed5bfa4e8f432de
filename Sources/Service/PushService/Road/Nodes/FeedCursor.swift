package import PushModel

/// The changes of a page of the feed, gathered by what has to be done with them.
package struct FeedWork: Hashable, Sendable {
    /// The last state of each changed device, grouped by app.
    package var devices: [AudienceEntry] = []
    /// Deleted devices by app, in ascending order.
    package var deleted: [App.ID: [DeviceOrdinal]] = [:]
    /// Whether apps were created, changed or deleted.
    package var hasNewApps = false
    /// The apps whose credentials have changed.
    package var credentials: Set<App.ID> = []
    package var importedIDs: [ImportedID] = []
    /// Changes of the tags that stay known without a device, in order.
    package var tags: [TagChange] = []
    package var withdrawn: Set<MessageID> = []
    /// The newest link of each device that had one to the reading node.
    package var moved: [DeviceID: Int64] = [:]

    package init() {}
}

/// The place of a node in the logs of all others.
///
/// Pages may be read twice: entries at or below the position of their node are dropped. States of devices need no order among
/// nodes, as their versions decide (``AudienceColumns``), and a deletion is final.
package struct FeedCursor: Hashable, Sendable {
    package let reader: NodeID
    package private(set) var positions: FeedPositions

    /// Creates a cursor for a reading node, from the end of the logs before everything else was read from the store.
    package init(reader: NodeID, from positions: FeedPositions) {
        self.reader = reader
        self.positions = positions
    }

    /// Moves on over a page.
    ///
    /// - Returns: the work that it brings; nil if entries that the node has not read were deleted from the logs.
    package mutating func advance(over page: FeedPage) -> FeedWork? {
        guard !page.isTruncated else { return nil }
        var latest: [DeviceID: AudienceEntry] = [:]
        var deleted: Set<DeviceID> = []
        var work = FeedWork()
        for entry in page.entries where entry.node != reader && entry.position > positions[entry.node, default: 0] {
            switch entry.change {
            case .device(let device):
                if device.version >= latest[device.id]?.version ?? 0 { latest[device.id] = device }
            case .deviceDeleted(let device): deleted.insert(device)
            case .apps: work.hasNewApps = true
            case .credentials(let app): work.credentials.insert(app)
            case .importedIDs(let ids): work.importedIDs += ids
            case .tagsKept(let tags, let app): work.tags.append(.kept(tags, app))
            case .tagForgotten(let tag, let app): work.tags.append(.forgotten(tag, app))
            case .withdrawn(let message): work.withdrawn.insert(message)
            case .linkMoved(let device, let node, let number):
                if node == reader { work.moved[device] = max(work.moved[device] ?? 0, number) }
            }
        }
        for device in deleted {
            latest[device] = nil
            work.deleted[device.app, default: []].append(device.ordinal)
        }
        for app in work.deleted.keys { work.deleted[app]?.sort() }
        work.devices = latest.values.sorted { ($0.id.app, $0.id.ordinal) < ($1.id.app, $1.id.ordinal) }
        positions.merge(page.through) { max($0, $1) }
        return work
    }

    /// Moves on to the place of another cursor of the same node, where that is further.
    mutating func advance(to other: FeedCursor) { positions.merge(other.positions) { max($0, $1) } }
}
