package import Foundation
package import PushModel

/// A push that was accepted, as it was received.
package struct Message: Hashable, Sendable, Identifiable {
    package var id: MessageID
    package var app: App.ID
    package var acceptedAt: Date
    /// The request body: read again at dispatch.
    package var body: [UInt8]
    package var environment: APNSEnvironment
    package var timeToLive: Int64
    package var sendno: UInt32
    package var cid: String?
    /// In which of its app's lanes it waits.
    package var delivery = DeliveryClass.immediate
    /// The pushes for which this one stands: it has the id of the first of them, and no body. Nil for any other.
    package var batch: MessageBatch?

    package init(
        id: MessageID,
        app: App.ID,
        acceptedAt: Date,
        body: [UInt8],
        environment: APNSEnvironment,
        timeToLive: Int64,
        sendno: UInt32,
        cid: String?
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

    package var destination: Destination { Destination(app: app, environment: environment) }
    package var lane: Lane { Lane(app: app, environment: environment, delivery) }

    /// From then on it is no longer tried.
    package var expiresAt: Date { acceptedAt.addingTimeInterval(Double(timeToLive)) }
}

/// The answer to a push.
package struct PushResult: Hashable, Sendable {
    package var messageID: MessageID
    package var sendno: UInt32

    package init(messageID: MessageID, sendno: UInt32) {
        self.messageID = messageID
        self.sendno = sendno
    }

    /// `{"sendno":"…","msg_id":"…"}`: exactly these two, as strings.
    package var json: JSONValue { ["sendno": .string(String(sendno)), "msg_id": .string(messageID.description)] }
}
