import APNSTransport
import PushModel

/// The headers that several pushes of a batch share.
struct BatchHeaders: Sendable {
    let values: APNSHeaders
    /// The error that affects all of them; nil if there is none.
    let problem: APNSPushProblem?
    /// Expiration and collapse id if each request carries them in its own fields; empty if they are in the head.
    var ownFields: [HTTP2RequestField] = []

    init(_ values: APNSHeaders) {
        self.values = values
        problem = values.problem
    }

    /// The headers that are in the head, which is shared with other batches.
    var head: APNSHeaders { ownFields.isEmpty ? values : values.withoutOwnFields }
}

extension APNSHeaders {
    /// The headers without those that change from push to push.
    var withoutOwnFields: APNSHeaders { APNSHeaders(topic: topic, pushType: pushType, priority: priority) }
}
