import HTTPTypes
import Hummingbird
import NIOCore

/// Keeps a response's body in memory.
final class MemoryWriter: ResponseBodyWriter {
    private let limit: Int
    private(set) var bytes: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    func write(_ buffer: ByteBuffer) async throws {
        guard bytes.count + buffer.readableBytes <= limit else { throw NIOTooManyBytesError(maxBytes: limit) }
        bytes.append(contentsOf: buffer.readableBytesView)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
