/// The reason why a stream or a connection ends (RFC 9113, section 7).
package struct HTTP2ErrorCode: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let noError = HTTP2ErrorCode(rawValue: 0x0)
    package static let protocolError = HTTP2ErrorCode(rawValue: 0x1)
    package static let internalError = HTTP2ErrorCode(rawValue: 0x2)
    package static let flowControlError = HTTP2ErrorCode(rawValue: 0x3)
    package static let streamClosed = HTTP2ErrorCode(rawValue: 0x5)
    package static let frameSizeError = HTTP2ErrorCode(rawValue: 0x6)
    package static let refusedStream = HTTP2ErrorCode(rawValue: 0x7)
    package static let cancel = HTTP2ErrorCode(rawValue: 0x8)
    package static let compressionError = HTTP2ErrorCode(rawValue: 0x9)
    package static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 0xB)

    /// Whether a stream that is reset with it may be tried again as it is.
    var asksForRetry: Bool { [.noError, .refusedStream, .cancel, .enhanceYourCalm].contains(self) }
}

extension HTTP2ErrorCode: CustomStringConvertible {
    private static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    package var description: String {
        rawValue < Self.names.count ? Self.names[Int(rawValue)] : "error code \(rawValue)"
    }
}

/// A violation of a rule or a limit by the other side that ends the connection (RFC 9113, section 5.4.1).
package struct HTTP2ConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
    package var code: HTTP2ErrorCode
    /// The rule, in words; sent as debug data of GOAWAY.
    package var rule: String

    package init(_ code: HTTP2ErrorCode, _ rule: String) {
        self.code = code
        self.rule = rule
    }

    package var description: String { "\(code): \(rule)" }
}
