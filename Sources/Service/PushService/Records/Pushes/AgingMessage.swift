package import Foundation
package import PushModel

/// A message that may be due for deletion.
package struct AgingMessage: Hashable, Sendable {
    package var id: MessageID
    /// The id of the last message of its batch; its own if it came alone.
    package var last: MessageID
    package var app: App.ID
    package var acceptedAt: Date
    /// The time when APNs last accepted it, or a device last reported; nil while it is under way.
    package var endedAt: Date?
    /// Whether its app was deleted.
    package var isOrphan: Bool

    package init(id: MessageID, last: MessageID, app: App.ID, acceptedAt: Date, endedAt: Date?, isOrphan: Bool) {
        self.id = id
        self.last = last
        self.app = app
        self.acceptedAt = acceptedAt
        self.endedAt = endedAt
        self.isOrphan = isOrphan
    }

    package var ids: [MessageID] { (id.number...last.number).map { MessageID($0) } }
}
