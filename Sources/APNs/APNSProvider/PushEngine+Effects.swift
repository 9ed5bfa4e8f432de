import APNSTransport
import Logging
import PushModel

extension PushEngine {
    /// A push for a connection.
    struct Delivery {
        var connection: APNSConnection
        var tag: UInt64
        var head: HTTP2RequestHead
        var push: APNSPush
    }

    /// What has been decided under the lock, to be done after it.
    struct Effects {
        var finished: [(Waiter, APNSOutcome)] = []
        var deliveries: [Delivery] = []
        var abandoned: [(APNSConnection, ClosedRange<UInt64>, String)] = []
        var left: [(Link, String)] = []
        var retried: [(APNSPush, String)] = []
        var latencies: [Duration] = []
        var emptied: [CheckedContinuation<Void, Never>] = []
    }

    func perform(_ effects: consuming Effects) {
        for (connection, tags, reason) in effects.abandoned { connection.abandon(tags, reason: reason) }
        for (link, reason) in effects.left {
            link.connection.leave(reason)
            logger.debug("A connection is left", metadata: ["connection.id": "\(link.number)", "error": "\(reason)"])
        }
        for (push, reason) in effects.retried { tell(push, reason) }
        for delivery in effects.deliveries { deliver(delivery) }
        for latency in effects.latencies { metrics.answered(within: latency) }
        for (waiter, outcome) in effects.finished {
            metrics.ended(outcome)
            waiter.resume(returning: outcome)
        }
        for waiter in effects.emptied { waiter.resume() }
    }

    func deliver(_ delivery: consuming Delivery) {
        let (tag, head, push) = (delivery.tag, delivery.head, delivery.push)
        delivery.connection.gather { $0.add(push, tag, head) }
    }

    private func tell(_ push: APNSPush, _ reason: String) {
        configuration.retried?(push, reason)
        metrics.retried(reason)
        logger.debug("A push is sent again", metadata: ["apns.id": "\(push.id)", "apns.reason": "\(reason)"])
    }
}

extension HTTP2RequestBatch {
    /// Adds a push with all that is not in the head.
    fileprivate mutating func add(_ push: borrowing APNSPush, _ tag: UInt64, _ head: HTTP2RequestHead) {
        if heads.last !== head { heads.append(head) }
        let pathStart = bytes.count
        let token = push.token.bytes
        appendHexadecimal(token.span, after: APNSBatch.path)
        let path = pathStart..<bytes.count
        let firstField = fields.count
        add(APNSField.id, push.id)
        if let expiration = push.expiration { add(APNSField.expiration, expiration.description) }
        if let collapseID = push.collapseID { add(APNSField.collapseID, collapseID) }
        let body = append(push.payload)
        requests.append(
            Request(tag: tag, head: heads.count - 1, path: path, fields: firstField..<fields.count, body: body)
        )
    }

    private mutating func add(_ name: FieldName, _ value: String) {
        let start = bytes.count
        bytes.append(contentsOf: value.utf8)
        fields.append(HTTP2RequestField(name, start..<bytes.count))
    }
}
