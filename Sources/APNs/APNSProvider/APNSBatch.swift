import APNSTransport
public import PushModel

/// Many pushes that are sent together and differ in device and payload only.
///
/// Their octets stand one after another in one piece of memory, so that a push of a batch costs a small part of what a push
/// by itself does. Each gets an apns-id; results name pushes by their index in the batch.
/// ```swift
/// var batch = APNSBatch(topic: "com.example.app")
/// batch.add(tokens, payload: Array(#"{"aps":{"alert":"Lunch is ready"}}"#.utf8))
/// await client.send(batch) { results in … }
/// ```
public struct APNSBatch: Sendable {
    /// The bundle id, with the suffix of the push type; nil leaves the header out (`APNSPush.topic`).
    public let topic: String?
    public let pushType: APNSPushType
    /// Nil leaves the header out.
    public let priority: APNSPriority?
    /// Nil leaves the header out.
    public let expiration: APNSExpiration?
    /// At most 64 bytes.
    public let collapseID: String?

    /// What is wrong with all of them; nil if nothing is.
    private let common: APNSPushProblem?
    var requests = HTTP2RequestBatch()
    private var identity: (high: UInt64, low: UInt64)

    public init(
        topic: String?,
        pushType: APNSPushType = .alert,
        priority: APNSPriority? = nil,
        expiration: APNSExpiration? = nil,
        collapseID: String? = nil
    ) {
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        common = APNSPushProblem(topic: topic, pushType: pushType, priority: priority, collapseID: collapseID)
        // Ids of version 4 (RFC 9562, section 5.4) that count up from a random one.
        identity.high = .random(in: 0 ... .max) & ~0xF000 | 0x4000
        identity.low = .random(in: 0...(.max >> 3)) | 1 << 63
    }

    /// How many pushes are in it.
    public var count: Int { requests.requests.count }

    public mutating func reserve(_ count: Int, payloadBytes: Int) {
        requests.requests.reserveCapacity(count)
        requests.fields.reserveCapacity(count)
        requests.bytes.reserveCapacity(count * (110 + payloadBytes))
    }

    /// Adds a push. The payload is JSON in UTF-8.
    public mutating func add(_ token: DeviceToken, payload: [UInt8]) {
        let body = requests.append(payload)
        token.withBytes { add($0, body) }
    }

    /// Adds a push with the same payload for each of the devices; the payload is kept once.
    public mutating func add(_ tokens: [DeviceToken], payload: [UInt8]) {
        let body = requests.append(payload)
        for token in tokens { token.withBytes { add($0, body) } }
    }

    /// Adds a push for the device whose token's bytes are given.
    public mutating func add(token: Span<UInt8>, payload: Span<UInt8>) {
        let start = requests.bytes.count
        requests.appendBytes(payload)
        add(token, start..<requests.bytes.count)
    }

    /// * `body`: where the payload stands among the octets of ``requests``.
    mutating func add(_ token: Span<UInt8>, _ body: Range<Int>) {
        let index = requests.requests.count
        let pathStart = requests.bytes.count
        requests.appendHexadecimal(token, after: Self.path)
        let idStart = requests.bytes.count
        requests.appendUUID(identity.high, identity.low &+ UInt64(index))
        requests.fields.append(HTTP2RequestField(APNSField.id, idStart..<requests.bytes.count))
        requests.requests.append(
            .init(
                tag: UInt64(index),
                head: 0,
                path: pathStart..<idStart,
                fields: index..<index + 1,
                body: body
            )
        )
    }

    static let path = Array("/3/device/".utf8)

    /// One push of the batch by itself.
    public subscript(index: Int) -> APNSPush {
        let request = requests.requests[index]
        let digits = requests.bytes[request.path].dropFirst(Self.path.count)
        return APNSPush(
            id: String(decoding: requests.bytes[requests.fields[index].value], as: UTF8.self),
            token: DeviceToken(String(decoding: digits, as: UTF8.self)) ?? DeviceToken(bytes: []),
            topic: topic,
            pushType: pushType,
            priority: priority,
            expiration: expiration,
            collapseID: collapseID,
            payload: Array(requests.bytes[request.body])
        )
    }

    /// What APNs would refuse about one push whatever the token; nil if nothing is wrong.
    func problem(_ index: Int) -> APNSPushProblem? {
        if let common { return common }
        let request = requests.requests[index]
        if request.path.count == Self.path.count { return self[index].problem }
        let limit = pushType.payloadLimit
        guard request.body.isEmpty || request.body.count > limit else { return nil }
        return APNSPushProblem(payloadBytes: request.body.count, limit: limit, for: pushType.rawValue)
    }
}

/// How the sending of one push of a batch ended.
public struct APNSResult: Hashable, Sendable {
    /// The push's place in the batch, from 0.
    public var index: Int
    public var outcome: APNSOutcome

    public init(index: Int, outcome: APNSOutcome) {
        self.index = index
        self.outcome = outcome
    }
}
