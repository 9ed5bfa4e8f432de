package import PushModel

/// A failure that the gateway produces on purpose: what, for which requests or deliveries, how often, and when.
package struct Fault: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The gateway gives this answer without judging the request; the push is not accepted.
        case answer(FaultAnswer)
        /// A request is processed only after a number of seconds.
        case latency(ClosedRange<Double>)
        /// A request is not processed before this number of seconds has passed; nil: before the fault ends or is lifted.
        case stall(Double?)
        case goAway(FaultGoAway)
        /// RST_STREAM with this error code. `isTaken`: the push is accepted anyway, but no answer is sent.
        case reset(code: Int, isTaken: Bool)
        /// The connection is closed with everything in progress on it; `isTaken` as above.
        case close(isTaken: Bool)
        /// MAX_CONCURRENT_STREAMS on all connections, for as long as the fault lasts.
        case streamLimit(Int)
        /// The largest number of new provider tokens of one key in 20 minutes, for as long as the fault lasts.
        case providerTokens(Int)
        /// The device does not get the push, which waits until the device reconnects, or is lost permanently.
        case dropDelivery(isForGood: Bool)
        /// The device gets this number of copies of the push.
        case duplicateDelivery(copies: Int)
    }

    package var kind: Kind
    package var conditions: FaultConditions
    /// The largest number of times; nil for no limit.
    package var next: Int?
    /// Every Nth of the requests or deliveries that meet the conditions.
    package var every: Int
    /// The probability, from 0 to 1, when it is the fault's turn.
    package var chance: Double
    /// The beginning in seconds since the fault was set, or since its script began.
    package var from: Double
    /// The end, exclusive, in the same unit as `from`; nil for no end.
    package var until: Double?

    package init(
        _ kind: Kind,
        where conditions: FaultConditions = FaultConditions(),
        next: Int? = nil,
        every: Int = 1,
        chance: Double = 1,
        from: Double = 0,
        until: Double? = nil
    ) {
        self.kind = kind
        self.conditions = conditions
        self.next = next
        self.every = max(1, every)
        self.chance = chance
        self.from = from
        self.until = until
    }
}

/// A fixed answer to any request.
package struct FaultAnswer: Hashable, Sendable {
    package var status: Int
    /// The reason in the body, in APNs's format; nil for a custom body or none.
    package var reason: APNSReason?
    /// The timestamp next to the reason, in milliseconds since 1970.
    package var timestamp: Int64?
    /// Any text in place of a reason, such as a proxy's page.
    package var body: String?
    /// The header `retry-after` in seconds, which APNs itself does not send.
    package var retryAfter: Int?
}

extension FaultAnswer {
    package init(_ reason: APNSReason) { self.init(status: reason.status, reason: reason) }
}

/// GOAWAY: the other side must open no more streams on this connection.
package struct FaultGoAway: Hashable, Sendable {
    /// The last stream that is answered.
    package enum Last: Hashable, Sendable {
        /// The highest stream number.
        case all
        /// The stream of the request.
        case this
        /// The stream before the request's; the request is not accepted, so it can be retried at once.
        case before
        case stream(Int)
    }

    /// The reason in APNs's format: `{"reason":"Shutdown"}`.
    package var reason: APNSReason?
    /// Any text in place of a reason.
    package var debugData: String?
    /// An HTTP/2 error code (RFC 9113, section 7).
    package var code = 0
    package var last = Last.this
    /// Whether a GOAWAY with the highest stream number is sent first, as a graceful server does (RFC 9113, section 6.8).
    package var isTwice = false

    var octets: [UInt8] {
        if let reason { return JSONValue.object(["reason": .string(reason.rawValue)]).bytes }
        return Array((debugData ?? "").utf8)
    }
}
