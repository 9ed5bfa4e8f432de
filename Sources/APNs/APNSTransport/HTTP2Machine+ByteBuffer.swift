package import NIOCore

extension HTTP2Machine {
    /// Takes the octets to send, in one buffer; nil if there are none.
    package mutating func takeOutput() -> ByteBuffer? {
        guard !output.isEmpty else { return nil }
        var taken = ByteBufferAllocator().buffer(capacity: output.count)
        output.read { bytes in _ = unsafe taken.writeBytes(bytes.bytes) }
        output.removeAll()
        return taken
    }
}
