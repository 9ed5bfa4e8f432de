/// One parameter of a SETTINGS frame (RFC 9113, section 6.5.1).
struct HTTP2Setting: Hashable, Sendable {
    /// The identifier (RFC 9113, section 6.5.2); unknown ones are legal and ignored.
    struct Identifier: RawRepresentable, Hashable, Sendable {
        var rawValue: UInt16

        static let headerTableSize = Identifier(rawValue: 0x1)
        static let enablePush = Identifier(rawValue: 0x2)
        static let maxConcurrentStreams = Identifier(rawValue: 0x3)
        static let initialWindowSize = Identifier(rawValue: 0x4)
        static let maxFrameSize = Identifier(rawValue: 0x5)
        static let maxHeaderListSize = Identifier(rawValue: 0x6)
    }

    var identifier: Identifier
    var value: UInt32

    init(_ identifier: Identifier, _ value: Int) {
        self.identifier = identifier
        self.value = UInt32(clamping: value)
    }
}

/// The settings of the other side, initially the defaults of RFC 9113, section 6.5.2.
package struct PeerSettings: Hashable, Sendable {
    package internal(set) var headerTableSize = 4096
    /// The stream limit; nil for none.
    package internal(set) var maxConcurrentStreams: Int?
    package internal(set) var initialWindowSize = 65_535
    package internal(set) var maxFrameSize = 16_384
    /// The header list limit, which is advice (section 10.5.1); nil for none.
    package internal(set) var maxHeaderListSize: Int?

    /// Applies one parameter.
    ///
    /// - Throws: if the value is outside RFC 9113's range, with the error code that it prescribes.
    mutating func apply(_ setting: HTTP2Setting, fromServer: Bool) throws(HTTP2ConnectionError) {
        let value = Int(setting.value)
        switch setting.identifier {
        case .headerTableSize: headerTableSize = value
        case .enablePush:
            guard value <= (fromServer ? 0 : 1) else {
                throw HTTP2ConnectionError(.protocolError, "SETTINGS_ENABLE_PUSH is \(value) (RFC 9113, 6.5.2)")
            }
        case .maxConcurrentStreams: maxConcurrentStreams = value
        case .initialWindowSize:
            guard value <= Int(Int32.max) else {
                throw HTTP2ConnectionError(
                    .flowControlError,
                    "SETTINGS_INITIAL_WINDOW_SIZE is \(value) (RFC 9113, 6.5.2)"
                )
            }
            initialWindowSize = value
        case .maxFrameSize:
            guard (16_384...16_777_215).contains(value) else {
                throw HTTP2ConnectionError(.protocolError, "SETTINGS_MAX_FRAME_SIZE is \(value) (RFC 9113, 6.5.2)")
            }
            maxFrameSize = value
        case .maxHeaderListSize: maxHeaderListSize = value
        default: break
        }
    }
}
