package import NIOCore

extension HTTP2Machine {
    /// What is to be sent, in one piece; nil if there is nothing.
    package mutating func takeOutput() -> ByteBuffer? {
        guard !output.isEmpty else { return nil }
        var taken = ByteBufferAllocator().buffer(capacity: output.count)
        output.read { bytes in _ = unsafe taken.writeBytes(bytes.bytes) }
        output.removeAll()
        return taken
    }
}
