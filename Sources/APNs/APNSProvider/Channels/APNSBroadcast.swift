public import Foundation
public import PushModel

/// One push to all devices that listen to a channel.
public struct APNSBroadcast: Hashable, Sendable {
    /// The channel whose listeners receive the push.
    public var channel: APNSChannelID
    /// The payload: JSON in UTF-8, at most 5120 bytes.
    public var payload: [UInt8]
    /// The expiration: 0 for a channel that stores nothing; otherwise APNs keeps the push until then, eight hours at most.
    public var expiration: APNSExpiration
    /// The priority; nil leaves the header out, which means 10.
    public var priority: APNSPriority?
    /// The id of the request in Apple's logs.
    public var requestID: UUID

    /// Creates a broadcast; the parameters are its properties.
    public init(
        to channel: APNSChannelID,
        payload: [UInt8],
        expiration: APNSExpiration = .oneAttempt,
        priority: APNSPriority? = nil,
        requestID: UUID = UUID()
    ) {
        self.channel = channel
        self.payload = payload
        self.expiration = expiration
        self.priority = priority
        self.requestID = requestID
    }

    /// - Throws: ``APNSPayloadProblem`` if the payload has more than 5120 bytes, or contains an invalid value.
    public init(
        _ payload: APNSPayload,
        to channel: APNSChannelID,
        expiration: APNSExpiration = .oneAttempt,
        priority: APNSPriority? = nil,
        requestID: UUID = UUID()
    ) throws(APNSPayloadProblem) {
        self.init(
            to: channel,
            payload: try payload.bytes(limit: Self.payloadLimit, for: Self.purpose),
            expiration: expiration,
            priority: priority,
            requestID: requestID
        )
    }

    static let payloadLimit = 5120
    static let purpose = "a broadcast"

    /// The error with which APNs would refuse it; nil if there is none.
    public var problem: APNSPushProblem? {
        channel.problem
            ?? APNSHeaders(topic: nil, pushType: .liveactivity, priority: priority).problem
            ?? APNSPushProblem(payloadBytes: payload.count, limit: Self.payloadLimit, for: Self.purpose)
    }
}

extension APNSChannelID {
    /// The error of a channel id that is not base64.
    var problem: APNSPushProblem? {
        let isBase64 = rawValue.utf8.allSatisfy { $0.isLetterOrDigit || "+/=-_".utf8.contains($0) }
        guard rawValue.isEmpty || !isBase64 else { return nil }
        return APNSPushProblem(
            reason: rawValue.isEmpty ? .missingChannelId : .badChannelId,
            description: "The channel id is '\(rawValue)'; expected the base64 text that APNs gave when it was created."
        )
    }
}
