package import Foundation
package import PushModel

/// An accepted push, as received.
package struct Message: Hashable, Sendable, Identifiable {
    package var id: MessageID
    package var app: App.ID
    package var acceptedAt: Date
    /// The request body, parsed again at dispatch.
    package var body: [UInt8]
    package var environment: APNSEnvironment
    package var timeToLive: Int64
    package var sendno: UInt32
    package var cid: String?
    /// The class of the lane in which it waits.
    package var delivery = DeliveryClass.immediate
    /// The topic that it is sent to, which is that of the lane too.
    package var topic = TopicKind.notification
    /// The pushes that this one stands for: it has the id of the first of them, and no body. Nil for any other.
    package var batch: MessageBatch?
    /// The request that it came with; nil for a push that the service itself sent, or that an earlier version accepted.
    package var origin: RequestOrigin?

    /// Creates a message; that of a batch has the id of its first push, and nothing else of a single push.
    package init(
        id: MessageID,
        app: App.ID,
        acceptedAt: Date,
        body: [UInt8] = [],
        environment: APNSEnvironment,
        timeToLive: Int64,
        sendno: UInt32 = 0,
        cid: String? = nil
    ) {
        self.id = id
        self.app = app
        self.acceptedAt = acceptedAt
        self.body = body
        self.environment = environment
        self.timeToLive = timeToLive
        self.sendno = sendno
        self.cid = cid
    }

    package var lane: Lane { Lane(app: app, environment: environment, topic: topic, delivery) }

    /// The time after which it is no longer sent.
    package var expiresAt: Date { acceptedAt.addingTimeInterval(Double(timeToLive)) }
}

/// The request that a push came with, to follow the push from the caller's log to its journey.
package struct RequestOrigin: Hashable, Sendable {
    /// The request's id: the caller's `X-Request-Id`, or a new one.
    package var requestID: String
    /// The place of the request in a distributed trace, in the form that the tracing backend carries between processes; empty
    /// without a backend.
    package var trace: [String: String]

    package init(requestID: String, trace: [String: String] = [:]) {
        self.requestID = requestID
        self.trace = trace
    }

    /// The origin of the request that the current task handles; nil outside requests, such as for the firing of a schedule.
    @TaskLocal package static var current: RequestOrigin?
}
