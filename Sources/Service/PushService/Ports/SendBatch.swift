package import PushModel

/// The pushes of one step, ready for APNs. All payloads share one piece of memory, so that a push costs no allocation.
package struct SendBatch: Sendable {
    package struct Push: Sendable {
        /// The apns-id, as the two halves of a UUID.
        package var id: APNSID
        package var token: DeviceToken
        /// The index in ``SendBatch/headers``.
        package var headers: Int
        /// The range in ``SendBatch/bytes``.
        package var payload: Range<Int>
    }

    package private(set) var headers: [APNSHeaders] = []
    package private(set) var pushes: [Push] = []
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package var count: Int { pushes.count }

    mutating func reserve(_ count: Int, payloadBytes: Int) {
        pushes.reserveCapacity(count)
        bytes.reserveCapacity(count * payloadBytes)
    }

    /// Adds header fields, unless they equal the last ones.
    ///
    /// - Returns: the index by which pushes refer to them.
    mutating func use(_ headers: APNSHeaders) -> Int {
        if self.headers.last != headers { self.headers.append(headers) }
        return self.headers.count - 1
    }

    /// Adds a push, whose payload a function appends.
    mutating func add(_ id: APNSID, _ token: DeviceToken, headers: Int, payload: (inout [UInt8]) -> Void) {
        let start = bytes.count
        payload(&bytes)
        pushes.append(Push(id: id, token: token, headers: headers, payload: start..<bytes.count))
    }
}
