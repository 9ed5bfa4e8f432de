/// The nine octets before each frame's payload (RFC 9113, section 4.1).
struct FrameHeader: Hashable, Sendable {
    /// The payload size in octets, 0 to 2^24 - 1.
    var length: Int
    var type: FrameType
    var flags: FrameFlags
    /// The stream id, 31 bits; 0 is the connection itself. The reserved bit is ignored.
    var streamID: UInt32

    static let size = 9

    init(length: Int, type: FrameType, flags: FrameFlags = [], streamID: UInt32 = 0) {
        self.length = length
        self.type = type
        self.flags = flags
        self.streamID = streamID
    }

    /// Reads the nine octets at `offset`, which must exist.
    @inline(__always)
    init(_ bytes: Span<UInt8>, at offset: Int = 0) {
        length = Int(bytes[offset]) << 16 | Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2])
        type = FrameType(rawValue: bytes[offset + 3])
        flags = FrameFlags(rawValue: bytes[offset + 4])
        streamID = bytes.bigEndian32(at: offset + 5) & 0x7FFF_FFFF
    }
}

/// The types of frames (RFC 9113, section 6). Other values are legal and ignored (section 5.5).
struct FrameType: RawRepresentable, Hashable, Sendable {
    var rawValue: UInt8

    static let data = FrameType(rawValue: 0x0)
    static let headers = FrameType(rawValue: 0x1)
    static let priority = FrameType(rawValue: 0x2)
    static let rstStream = FrameType(rawValue: 0x3)
    static let settings = FrameType(rawValue: 0x4)
    static let pushPromise = FrameType(rawValue: 0x5)
    static let ping = FrameType(rawValue: 0x6)
    static let goAway = FrameType(rawValue: 0x7)
    static let windowUpdate = FrameType(rawValue: 0x8)
    static let continuation = FrameType(rawValue: 0x9)
}

/// The flags of all frame types; flags that a type does not define are ignored (RFC 9113, section 4.1).
struct FrameFlags: OptionSet, Hashable, Sendable {
    var rawValue: UInt8

    /// On DATA and HEADERS: the sender's last frame on the stream.
    static let endStream = FrameFlags(rawValue: 0x1)
    /// On SETTINGS and PING: an acknowledgement.
    static let ack = FrameFlags(rawValue: 0x1)
    static let endHeaders = FrameFlags(rawValue: 0x4)
    static let padded = FrameFlags(rawValue: 0x8)
    static let priority = FrameFlags(rawValue: 0x20)
}

extension Span where Element == UInt8 {
    @inline(__always)
    func bigEndian32(at offset: Int) -> UInt32 {
        UInt32(self[offset]) << 24 | UInt32(self[offset + 1]) << 16 | UInt32(self[offset + 2]) << 8
            | UInt32(self[offset + 3])
    }

    @inline(__always)
    func bigEndian16(at offset: Int) -> UInt16 { UInt16(self[offset]) << 8 | UInt16(self[offset + 1]) }
}
