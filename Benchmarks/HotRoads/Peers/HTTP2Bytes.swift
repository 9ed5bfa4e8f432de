import NIOCore

/// Frames of HTTP/2 as bytes, for peers that do as little as possible: they encode prepared headers and decode none.
enum HTTP2Bytes {
    enum Kind {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let settings: UInt8 = 4
        static let goAway: UInt8 = 7
        static let windowUpdate: UInt8 = 8
    }

    static let headSize = 9
    static let endStream: UInt8 = 1
    static let endHeaders: UInt8 = 4
    static let acknowledgement: UInt8 = 1
    static let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

    static func writeHead(_ kind: UInt8, flags: UInt8, stream: UInt32, length: Int, to buffer: inout ByteBuffer) {
        buffer.writeMultipleIntegers(UInt8(truncatingIfNeeded: length >> 16), UInt16(truncatingIfNeeded: length))
        buffer.writeMultipleIntegers(kind, flags, stream)
    }

    /// Calls `body` for each whole frame and removes it. Settings of the other side are acknowledged.
    static func readFrames(
        _ input: inout ByteBuffer,
        answering output: inout ByteBuffer,
        _ body: (_ kind: UInt8, _ flags: UInt8, _ stream: UInt32, _ content: ByteBuffer) -> Void
    ) {
        while let (high, low, kind, flags, stream) = input.peekMultipleIntegers(
            as: (UInt8, UInt16, UInt8, UInt8, UInt32).self
        ) {
            let length = Int(high) << 16 | Int(low)
            guard input.readableBytes >= headSize + length else { break }
            input.moveReaderIndex(forwardBy: headSize)
            guard let content = input.readSlice(length: length) else { break }
            if kind == Kind.settings {
                if flags & acknowledgement == 0 {
                    writeHead(Kind.settings, flags: acknowledgement, stream: 0, length: 0, to: &output)
                }
            } else {
                body(kind, flags, stream, content)
            }
        }
        input.discardReadBytes()
    }
}
