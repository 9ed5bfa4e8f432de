/// A request as it travels: method, path, header fields and one small body.
///
/// This and ``APNSAnswer`` are all that provider and gateway know of HTTP/2.
package struct APNSRequest: Sendable {
    package var method: String
    package var path: String
    /// The fields without the pseudo-headers, names in lower case, in the order of the wire. Repetitions are kept.
    package var headers: [(name: String, value: String)]
    /// At most ``APNSServer/Configuration/bodyBytes`` of it when it was received.
    package var body: [UInt8]
    /// How long the body was, also when it was too long to keep.
    package var bodyBytes: Int
    /// The stream on which it came; 0 for one that came over none.
    package var streamID = 0

    package init(method: String, path: String, headers: [(name: String, value: String)], body: [UInt8]) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
        bodyBytes = body.count
    }
}

/// The answer to an ``APNSRequest``.
package struct APNSAnswer: Sendable {
    package var status: Int
    /// The fields without the pseudo-header, names in lower case.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(status: Int, headers: [(name: String, value: String)], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
