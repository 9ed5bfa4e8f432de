package import PushModel

/// The part of a push that is common to many pushes of a provider. A class, since a provider repeats it thousands of times.
package final class PushHead: Hashable, Sendable {
    package let topic: String
    /// The push type; nil if the provider gave none and the topic does not tell it.
    package let pushType: APNSPushType?
    /// The priority: 10, 5 or 1.
    package let priority: Int
    package let collapseID: String?

    package init(topic: String, pushType: APNSPushType?, priority: Int, collapseID: String?) {
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.collapseID = collapseID
    }

    func with(collapseID: String?) -> PushHead {
        collapseID.isSame(as: self.collapseID)
            ? self : PushHead(topic: topic, pushType: pushType, priority: priority, collapseID: collapseID)
    }

    package static func == (one: PushHead, other: PushHead) -> Bool {
        one === other
            || one.topic == other.topic && one.pushType == other.pushType && one.priority == other.priority
                && one.collapseID.isSame(as: other.collapseID)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(topic)
        hasher.combine(collapseID)
    }
}
