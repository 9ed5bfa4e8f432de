/// The nodes to which devices have links. A device is at one node: where it has opened its newest link.
package protocol PresenceStore: Sendable {
    /// Records new links of devices, each once, at the caller's node, in one transaction. For a device that was at another
    /// node, an entry ``FeedChange/linkMoved(_:from:number:)`` is written to the caller's log in the same transaction.
    ///
    /// - Returns: the number of each link, greater than those of all earlier links of the device; without deleted devices.
    /// - Throws: ``NodeError/fenced(_:)`` if the membership is over.
    func enter(_ devices: [DeviceID], at claim: NodeClaim) async throws -> [DeviceID: Int64]
    /// Takes over the links of an earlier membership of the same node, by their numbers, and returns the devices that have
    /// no newer ones.
    ///
    /// A node that was away, and whose membership has ended, has its links still. They keep their numbers: a device that
    /// has opened another link meanwhile stays where that is.
    ///
    /// - Throws: ``NodeError/fenced(_:)`` if the membership is over.
    func keep(_ links: [DeviceID: Int64], at claim: NodeClaim) async throws -> Set<DeviceID>
    /// Records the end of links, by their numbers, unless the devices have newer ones.
    func leave(_ links: [DeviceID: Int64], at claim: NodeClaim) async throws
    /// Returns the nodes of the devices that have links. A node that has left, or whose membership has ended, has none.
    func nodes(of devices: [DeviceID]) async throws -> [DeviceID: NodeID]
}

/// Custom messages for the devices of one node.
package protocol NodeMailStore: Sendable {
    /// Returns the next custom messages for a node, in order: those to a single device that is at this node, and those to
    /// many devices. The audiences are included for apps in `apps`.
    ///
    /// A device's node is taken as recorded when this is called (``PresenceStore``). A message that is committed before its
    /// device was recorded here is found by
    /// ``CustomMessageStore/waitingMessages(of:acknowledgedThrough:keptThrough:limit:at:)``, called afterwards, so none is
    /// missed. The membership under which the device was recorded may be over: the node may have the link still, and passes
    /// over no message for it.
    ///
    /// Positions ascend across all nodes in the order of commits: after a position was read, no message appears before it.
    func mail(
        for node: NodeID,
        after position: Int64,
        limit: Int,
        audiencesOf apps: Set<App.ID>
    ) async throws -> NodeMail
}

/// Custom messages for the devices of a node.
package struct NodeMail: Hashable, Sendable {
    package var messages: [CustomMessageRecord]
    /// The position through which `messages` is complete.
    package var through: Int64

    package init(messages: [CustomMessageRecord], through: Int64) {
        self.messages = messages
        self.through = through
    }
}
