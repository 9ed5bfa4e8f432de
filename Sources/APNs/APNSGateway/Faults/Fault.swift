package import PushModel

/// Something that the gateway does wrong on purpose: what, for which requests or deliveries, how often, and when.
package struct Fault: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// This answer instead of a judgement; the push is not taken in.
        case answer(FaultAnswer)
        /// So many seconds pass before a request is taken in.
        case latency(ClosedRange<Double>)
        /// A request is not taken in before so many seconds have passed; nil: before the fault is lifted or over.
        case stall(Double?)
        case goAway(FaultGoAway)
        /// RST_STREAM with this error code. `isTaken`: the push is taken in all the same, and nobody is told.
        case reset(code: Int, isTaken: Bool)
        /// The connection is closed with whatever goes on there; `isTaken` as above.
        case close(isTaken: Bool)
        /// MAX_CONCURRENT_STREAMS on all connections, as long as the fault lasts.
        case streamLimit(Int)
        /// The device does not get the push; it waits until the device comes again, or is lost for good.
        case dropDelivery(isForGood: Bool)
        /// The device gets the push so many times.
        case duplicateDelivery(copies: Int)
    }

    package var kind: Kind
    package var conditions: FaultConditions
    /// How many times at most; nil for no end.
    package var next: Int?
    /// Each so manieth of those that meet the conditions.
    package var every: Int
    /// From 0 to 1: how likely it is, once it is its turn.
    package var chance: Double
    /// In seconds since it was set, or since its script began.
    package var from: Double
    /// As `from`; nil for ever. At that moment it is over.
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

/// What is answered, whatever was asked.
package struct FaultAnswer: Hashable, Sendable {
    package var status: Int
    /// In the body, as APNs writes it; nil for a body of its own or none.
    package var reason: APNSReason?
    /// With the reason, in milliseconds since 1970.
    package var timestamp: Int64?
    /// Instead of a reason: any text, such as a proxy's page.
    package var body: String?
    /// In seconds, as the header `retry-after`, which APNs itself does not send.
    package var retryAfter: Int?

    package init(
        status: Int,
        reason: APNSReason? = nil,
        timestamp: Int64? = nil,
        body: String? = nil,
        retryAfter: Int? = nil
    ) {
        self.status = status
        self.reason = reason
        self.timestamp = timestamp
        self.body = body
        self.retryAfter = retryAfter
    }

    package init(_ reason: APNSReason) { self.init(status: reason.status, reason: reason) }
}

/// GOAWAY: the other side is to open no more streams here.
package struct FaultGoAway: Hashable, Sendable {
    /// The last stream that is answered.
    package enum Last: Hashable, Sendable {
        /// The highest number there is.
        case all
        /// That of the request.
        case this
        /// The one before the request, which is not taken in, so that it can be sent again at once.
        case before
        case stream(Int)
    }

    /// As APNs writes it: `{"reason":"Shutdown"}`.
    package var reason: APNSReason?
    /// Instead of a reason: any text.
    package var debugData: String?
    /// An error code of HTTP/2 (RFC 9113, section 7).
    package var code: Int
    package var last: Last
    /// A first one with the highest number goes before it, as a graceful server does (RFC 9113, section 6.8).
    package var isTwice: Bool

    package init(
        _ reason: APNSReason? = nil,
        debugData: String? = nil,
        code: Int = 0,
        last: Last = .this,
        isTwice: Bool = false
    ) {
        self.reason = reason
        self.debugData = debugData
        self.code = code
        self.last = last
        self.isTwice = isTwice
    }

    var octets: [UInt8] {
        if let reason { return JSONValue.object(["reason": .string(reason.rawValue)]).bytes }
        return Array((debugData ?? "").utf8)
    }
}
