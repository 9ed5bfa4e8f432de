/// The contents of a GOAWAY with which the other side ended a connection.
package struct APNSGoAway: Sendable {
    /// Streams above this one have not been processed.
    package var lastStreamID: Int
    /// The error code (RFC 9113, section 7).
    package var errorCode: Int
    /// The debug data. APNs writes `{"reason":"…"}` here; other bytes have been seen.
    package var debugData: [UInt8]

    /// The debug data as text; bytes that are not UTF-8 are replaced.
    package var text: String { String(decoding: debugData, as: UTF8.self) }
}
