/// What the other side said when it ended a connection.
package struct APNSGoAway: Sendable {
    /// Streams above this one have not been processed.
    package var lastStreamID: Int
    /// RFC 9113, section 7.
    package var errorCode: Int
    /// APNs writes `{"reason":"…"}` here; other bytes have been seen.
    package var debugData: [UInt8]

    package init(lastStreamID: Int, errorCode: Int, debugData: [UInt8]) {
        self.lastStreamID = lastStreamID
        self.errorCode = errorCode
        self.debugData = debugData
    }

    /// The debug data as text; bytes that are not UTF-8 are replaced.
    package var text: String { String(decoding: debugData, as: UTF8.self) }
}
