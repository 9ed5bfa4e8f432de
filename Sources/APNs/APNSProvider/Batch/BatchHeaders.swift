import APNSTransport
import PushModel

/// The headers that several pushes of a batch share.
struct BatchHeaders: Sendable {
    var topic: String?
    var pushType: APNSPushType
    var priority: APNSPriority?
    var expiration: APNSExpiration?
    var collapseID: String?
    /// The error that affects all of them; nil if there is none.
    let problem: APNSPushProblem?
    /// Expiration and collapse id if each request carries them in its own fields; empty if they are in the head.
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

    /// The cache key of the head, which is shared with other batches.
    var key: HeadCache.Key {
        var key = HeadCache.Key(topic: topic, pushType: pushType, priority: priority)
        if ownFields.isEmpty { (key.expiration, key.collapseID) = (expiration, collapseID) }
        return key
    }
}
