import APNSTransport
public import PushModel

/// A collection of pushes that are sent together.
///
/// Their octets are contiguous in memory, so a push in a batch costs a small part of a single push. Results refer to pushes
/// by their index in the batch.
///
/// ```swift
/// var batch = APNSBatch(topic: "com.example.app")
/// batch.add(tokens, payload: Array(#"{"aps":{"alert":"Lunch is ready"}}"#.utf8))
/// await client.send(batch) { results in … }
/// ```
public struct APNSBatch: Sendable {
    /// The headers of all pushes that have none of their own.
    public var common: APNSHeaders { headers[0].values }

    /// The batch's own headers, then those of pushes with other headers; a request's `head` is an index into this array.
    private(set) var headers: [BatchHeaders]
    var requests = HTTP2RequestBatch()
    private var identity: (high: UInt64, low: UInt64)
    /// The pushes whose own id is not a UUID.
    private var misnamed: Set<Int> = []

    /// Creates an empty batch from the values of its headers.
    public init(
        topic: String?,
        pushType: APNSPushType = .alert,
        priority: APNSPriority? = nil,
        expiration: APNSExpiration? = nil,
        collapseID: String? = nil
    ) {
        self.init(
            APNSHeaders(
                topic: topic,
                pushType: pushType,
                priority: priority,
                expiration: expiration,
                collapseID: collapseID
            )
        )
    }

    /// Creates an empty batch.
    public init(_ headers: APNSHeaders) {
        self.headers = [BatchHeaders(headers)]
        // Ids of version 4 (RFC 9562, section 5.4), counted up from a random start.
        identity.high = .random(in: 0 ... .max) & ~0xF000 | 0x4000
        identity.low = .random(in: 0...(.max >> 3)) | 1 << 63
    }

    /// The number of pushes in the batch.
    public var count: Int { requests.requests.count }

    /// Reserves memory for a number of pushes with payloads of this size.
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

    /// Adds a push with the same payload for each of the devices; the payload is stored once.
    public mutating func add(_ tokens: [DeviceToken], payload: [UInt8]) {
        let body = requests.append(payload)
        for token in tokens { token.withBytes { add($0, body) } }
    }

    /// Adds a push for a device, given the bytes of its token.
    public mutating func add(token: Span<UInt8>, payload: Span<UInt8>) {
        let start = requests.bytes.count
        requests.bytes.append(payload)
        add(token, start..<requests.bytes.count)
    }

    /// Adds a push with an id and headers of its own.
    public mutating func add(_ push: APNSPush) {
        let headers = use(push.headers)
        let body = requests.append(push.payload)
        let path = push.token.withBytes { appendPath($0) }
        let idStart = requests.bytes.count
        if APNSID(push.id) == nil { misnamed.insert(count) }
        requests.bytes.append(contentsOf: push.id.utf8)
        add(path, id: idStart..<requests.bytes.count, body, headers: headers)
    }

    /// Prepares headers for pushes that are added with their own ids.
    ///
    /// - Returns: the index of the headers, to be passed with each push.
    package mutating func use(_ values: APNSHeaders) -> Int {
        if values == headers[headers.count - 1].values { return headers.count - 1 }
        if values == headers[0].values { return 0 }
        var new = BatchHeaders(values)
        new.ownFields = ownFields(of: values)
        headers.append(new)
        return headers.count - 1
    }

    /// Adds a push with its own id.
    ///
    /// - Parameters:
    ///   - token: the bytes of the device token.
    ///   - id: the apns-id, as the two halves of a UUID.
    ///   - payload: the range in the octets that ``append(payload:)`` has stored.
    ///   - headers: 0 for the batch's own, or what ``use(_:)`` returned.
    package mutating func add(token: Span<UInt8>, id: APNSID, payload: Range<Int>, headers: Int = 0) {
        let path = appendPath(token)
        let idStart = requests.bytes.count
        requests.bytes.appendUUID(id.high, id.low)
        add(path, id: idStart..<requests.bytes.count, payload, headers: headers)
    }

    /// Stores payload octets, ranges of which any number of pushes may share.
    ///
    /// - Returns: the range of the octets.
    package mutating func append(payload: [UInt8]) -> Range<Int> { requests.append(payload) }

    /// `body` is the payload's range in the octets of ``requests``.
    mutating func add(_ token: Span<UInt8>, _ body: Range<Int>) {
        let path = appendPath(token)
        let idStart = requests.bytes.count
        requests.bytes.appendUUID(identity.high, identity.low &+ UInt64(count))
        add(path, id: idStart..<requests.bytes.count, body, headers: 0)
    }

    private mutating func appendPath(_ token: Span<UInt8>) -> Range<Int> {
        let start = requests.bytes.count
        requests.bytes += Self.path
        requests.bytes.appendHexadecimal(token)
        return start..<requests.bytes.count
    }

    private mutating func add(_ path: Range<Int>, id: Range<Int>, _ body: Range<Int>, headers number: Int) {
        let firstField = requests.fields.count
        requests.fields.append(HTTP2BatchField(.apnsID, id))
        if number > 0 { requests.fields.append(contentsOf: headers[number].ownFields) }
        requests.requests.append(
            .init(tag: UInt64(count), head: number, path: path, fields: firstField..<requests.fields.count, body: body)
        )
    }

    /// Returns the header fields that change from push to push, and would fill a connection's header table if they were shared.
    private mutating func ownFields(of headers: APNSHeaders) -> [HTTP2BatchField] {
        PushHeader.own.compactMap { header in header.value(in: headers).map { requests.field(header.field, $0) } }
    }

    static let path = Array("/3/device/".utf8)

    /// The push at an index.
    public subscript(index: Int) -> APNSPush {
        let request = requests.requests[index]
        let digits = requests.bytes[request.path].dropFirst(Self.path.count)
        let id = requests.bytes[requests.fields[request.fields.lowerBound].value]
        return APNSPush(
            id: String(decoding: id, as: UTF8.self),
            token: DeviceToken(String(decoding: digits, as: UTF8.self)) ?? DeviceToken(bytes: []),
            headers: headers[request.head].values,
            payload: Array(requests.bytes[request.body])
        )
    }

    func topic(of index: Int) -> String? { headers[requests.requests[index].head].values.topic }

    /// Returns the error with which APNs would refuse a push whatever the token; nil if there is none.
    func problem(_ index: Int) -> APNSPushProblem? {
        let request = requests.requests[index]
        let headers = headers[request.head]
        if let common = headers.problem { return common }
        if request.path.count == Self.path.count || misnamed.contains(index) { return self[index].problem }
        let limit = headers.values.pushType.payloadLimit
        guard request.body.isEmpty || request.body.count > limit else { return nil }
        return APNSPushProblem(payloadBytes: request.body.count, limit: limit, for: headers.values.pushType.rawValue)
    }
}

/// The result of sending one push of a batch.
public struct APNSResult: Hashable, Sendable {
    /// The push's index in the batch, from 0.
    public var index: Int
    /// The outcome of the push.
    public var outcome: APNSOutcome
    /// The reasons of earlier or pending retries: reasons of APNs, or `connection`. Usually empty.
    public var retries: [String]
    /// The pause before the next attempt. Nil if a retry would not help, or no pause was given.
    public var pause: Duration?
    /// The reset of the push's stream, if each attempt ended with the same one.
    package var reset: APNSReason?

    /// Creates a result.
    public init(index: Int, outcome: APNSOutcome, retries: [String] = [], pause: Duration? = nil) {
        self.index = index
        self.outcome = outcome
        self.retries = retries
        self.pause = pause
    }
}

/// The headers that several pushes of a batch share.
struct BatchHeaders: Sendable {
    let values: APNSHeaders
    /// The error that affects all of them; nil if there is none.
    let problem: APNSPushProblem?
    /// The headers that each request carries in its own fields; empty if they are in the head.
    var ownFields: [HTTP2BatchField] = []

    init(_ values: APNSHeaders) {
        self.values = values
        problem = values.problem
    }

    /// The headers that are in the head, which is shared with other batches.
    var head: APNSHeaders { ownFields.isEmpty ? values : values.shared }
}
