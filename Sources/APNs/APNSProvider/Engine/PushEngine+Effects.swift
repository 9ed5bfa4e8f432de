import APNSTransport
import Logging
import PushModel
import Synchronization

extension PushEngine {
    /// The connection and request of a push.
    struct Delivery {
        var connection: APNSConnection
        var tag: UInt64
        var head: HTTP2RequestHead
        /// The value of ``PushEngine/abandonments`` at the decision.
        var abandonments: Int
    }

    /// The actions that were decided under the lock, to be carried out after it.
    struct Effects: Sendable {
        var accepted: [Waiter] = []
        var finished: [(Waiter, PushEnding)] = []
        var deliveries: [(APNSPush, Delivery)] = []
        var abandoned: [(APNSConnection, ClosedRange<UInt64>, String)] = []
        var left: [(Link, String)] = []
        var retried: [(APNSPush, String)] = []
        var latencies: [Duration] = []
        var woken: [CheckedContinuation<Void, Never>] = []
    }

    /// Changes the state, then carries out the actions that were decided, outside the lock.
    ///
    /// Every change that may decide on an action goes through here.
    @inline(__always)
    func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, effects) = state.withLock { state in
            let result = body(&state)
            return (result, state.takeEffects())
        }
        perform(effects)
        return result
    }

    private func perform(_ effects: consuming Effects) {
        for (connection, tags, reason) in effects.abandoned { connection.abandon(tags, reason: reason) }
        for (link, reason) in effects.left {
            link.connection.leave(reason)
            logger.debug("A connection is left", metadata: ["connection.id": "\(link.number)", "error": "\(reason)"])
        }
        for (push, reason) in effects.retried { log(push, reason) }
        for (push, delivery) in effects.deliveries { deliver(push, delivery) }
        for latency in effects.latencies { metrics.answered(within: latency) }
        if !effects.accepted.isEmpty { metrics.accepted(effects.accepted.count) }
        for waiter in effects.accepted { waiter.resume(PushEnding(.accepted)) }
        for (waiter, ending) in effects.finished {
            metrics.ended(ending.outcome)
            waiter.resume(ending)
        }
        for waiter in effects.woken { waiter.resume() }
    }

    func deliver(_ push: APNSPush, _ delivery: Delivery) {
        delivery.connection.gather { $0.add(push, tag: delivery.tag, head: delivery.head) }
        guard abandonments.load(ordering: .relaxed) != delivery.abandonments,
            state.withLock({ $0.slots.index(of: delivery.tag) == nil })
        else { return }
        // The push was given up before the connection had it, so the connection ignored the first notice. If the push has been
        // answered by now, the connection no longer knows it.
        delivery.connection.abandon(delivery.tag, reason: Self.cancellation)
    }

    private func log(_ push: APNSPush, _ reason: String) {
        configuration.retried?(push, reason)
        metrics.retried(reason)
        logger.debug("A push is sent again", metadata: ["apns.id": "\(push.id)", "apns.reason": "\(reason)"])
    }
}

extension HTTP2RequestBatch {
    /// Adds a push with everything that is not in the head.
    fileprivate mutating func add(_ push: borrowing APNSPush, tag: UInt64, head: HTTP2RequestHead) {
        if heads.last !== head { heads.append(head) }
        let pathStart = bytes.count
        bytes += APNSBatch.path
        push.token.withBytes { bytes.appendHexadecimal($0) }
        let path = pathStart..<bytes.count
        let firstField = fields.count
        fields.append(field(.apnsID, push.id))
        for header in PushHeader.own {
            if let value = header.value(in: push.headers) { fields.append(field(header.field, value)) }
        }
        let body = append(push.payload)
        requests.append(
            Request(tag: tag, head: heads.count - 1, path: path, fields: firstField..<fields.count, body: body)
        )
    }
}
