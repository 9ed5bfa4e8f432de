import APNSTransport
import PushModel

/// What several pushes of a batch have in common.
struct BatchHeaders: Sendable {
    var topic: String?
    var pushType: APNSPushType
    var priority: APNSPriority?
    var expiration: APNSExpiration?
    var collapseID: String?
    /// What is wrong with all of them; nil if nothing is.
    let problem: APNSPushProblem?
    /// Expiration and collapse id where each request says them in fields of its own; empty where they are in the head.
    var ownFields: [HTTP2RequestField] = []

    init(
        topic: String?,
        pushType: APNSPushType,
        priority: APNSPriority?,
        expiration: APNSExpiration?,
        collapseID: String?
    ) {
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        problem = APNSPushProblem(topic: topic, pushType: pushType, priority: priority, collapseID: collapseID)
    }

    func isSame(as other: BatchHeaders) -> Bool {
        expiration == other.expiration && collapseID == other.collapseID && topic == other.topic
            && pushType == other.pushType && priority == other.priority
    }

    /// Under which the head is kept that they share with other batches.
    var key: HeadCache.Key {
        var key = HeadCache.Key(topic: topic, pushType: pushType, priority: priority)
        if ownFields.isEmpty { (key.expiration, key.collapseID) = (expiration, collapseID) }
        return key
    }
}
