/// Writing of frames (RFC 9113, section 6). They are only appended; the owner of the buffer sends it in one piece.
extension WireBytes {
    @inline(__always)
    mutating func writeFrameHeader(_ header: FrameHeader) {
        // Length and type, then flags and stream: three stores instead of nine.
        write(UInt32(truncatingIfNeeded: header.length) << 8 | UInt32(header.type.rawValue))
        write(header.flags.rawValue)
        write(header.streamID)
    }

    /// Writes SETTINGS (RFC 9113, section 6.5).
    mutating func writeSettings(_ settings: [HTTP2Setting]) {
        writeFrameHeader(FrameHeader(length: settings.count * 6, type: .settings))
        for setting in settings {
            write(setting.identifier.rawValue)
            write(setting.value)
        }
    }

    mutating func writeSettingsAck() { writeFrameHeader(FrameHeader(length: 0, type: .settings, flags: .ack)) }

    /// Writes PING (RFC 9113, section 6.7).
    mutating func writePing(_ data: UInt64, isAck: Bool) {
        writeFrameHeader(FrameHeader(length: 8, type: .ping, flags: isAck ? .ack : []))
        write(data)
    }

    /// Writes RST_STREAM (RFC 9113, section 6.4).
    mutating func writeReset(_ streamID: UInt32, _ code: HTTP2ErrorCode) {
        writeFrameHeader(FrameHeader(length: 4, type: .rstStream, streamID: streamID))
        write(code.rawValue)
    }

    /// Writes GOAWAY (RFC 9113, section 6.8).
    mutating func writeGoAway(lastStreamID: UInt32, _ code: HTTP2ErrorCode, _ debugData: [UInt8]) {
        writeFrameHeader(FrameHeader(length: 8 + debugData.count, type: .goAway))
        write(lastStreamID)
        write(code.rawValue)
        write(debugData)
    }

    /// Writes WINDOW_UPDATE (RFC 9113, section 6.9).
    mutating func writeWindowUpdate(_ streamID: UInt32, by increment: Int) {
        writeFrameHeader(FrameHeader(length: 4, type: .windowUpdate, streamID: streamID))
        write(UInt32(truncatingIfNeeded: increment))
    }
}
