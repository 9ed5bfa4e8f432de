/// A reusable buffer for octets that are written to the wire.
///
/// NIO's ByteBuffer can be shared, so each write checks for uniqueness; this buffer has a single owner, and many small
/// writes go into a ByteBuffer in one.
package struct WireBytes: Sendable {
    /// The memory, longer than the part in use.
    private var storage: [UInt8] = []
    /// The number of octets written.
    package private(set) var count = 0

    package init() {}

    package init(_ bytes: [UInt8]) {
        storage = bytes
        count = bytes.count
    }

    package var isEmpty: Bool { count == 0 }

    package func read<Result, Failure>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure) -> Result {
        try body(storage.span.extracting(first: count))
    }

    var array: [UInt8] { Array(storage[..<count]) }

    /// Discards everything from `count` on; by default all. The memory stays.
    package mutating func removeAll(from count: Int = 0) { self.count = min(self.count, count) }

    /// Releases the memory if the buffer is empty.
    mutating func shrink() { if count == 0 { storage = [] } }

    @inline(__always)
    private mutating func makeRoom(_ size: Int) {
        if storage.count - count < size { grow(size) }
    }

    @inline(never)
    private mutating func grow(_ size: Int) {
        // An array, because a debug build appends any other collection element by element.
        storage += [UInt8](repeating: 0, count: max(storage.count, size, 256))
    }

    /// Writes an integer in big-endian order.
    @inline(__always)
    package mutating func write<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
        makeRoom(MemoryLayout<Value>.size)
        store(value, at: count)
        count += MemoryLayout<Value>.size
    }

    /// Overwrites the octets at `place` with an integer.
    @inline(__always)
    package mutating func overwrite<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value, at place: Int) {
        precondition(place >= 0 && place + MemoryLayout<Value>.size <= count, "There is nothing to write over.")
        store(value, at: place)
    }

    /// Stores an integer; both callers have made room for it.
    @inline(__always)
    private mutating func store<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value, at place: Int) {
        unsafe storage.withUnsafeMutableBytes { bytes in
            unsafe bytes.storeBytes(of: value.bigEndian, toByteOffset: place, as: Value.self)
        }
    }

    @inline(__always)
    package mutating func write(_ bytes: Span<UInt8>) {
        let size = bytes.count
        guard size > 0 else { return }
        makeRoom(size)
        let place = count
        unsafe bytes.withUnsafeBufferPointer { source in
            unsafe storage.withUnsafeMutableBufferPointer { target in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                // There is room for all of it, reserved just above.
                unsafe (to + place).update(from: from, count: size)
            }
        }
        count += size
    }

    package mutating func write(_ bytes: [UInt8]) { write(bytes.span) }
}
