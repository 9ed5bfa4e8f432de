/// The dynamic table of a connection, evicted oldest first (RFC 7541, sections 2.3.2 and 4).
struct DynamicTable {
    /// A field of this table, or of the static one.
    struct Entry: Sendable {
        var name: FieldName
        var isValueValid: Bool
        /// The start of name and value, in this order, in the octets of the table.
        var start: Int
        var nameCount: Int
        var valueCount: Int

        /// The size of the entry (RFC 7541, section 4.1).
        var size: Int { nameCount + valueCount + 32 }
        var nameRange: Range<Int> { start..<start + nameCount }
        var valueRange: Range<Int> { start + nameCount..<start + nameCount + valueCount }
    }

    /// Names and values, concatenated; evicted ones are removed by the next compaction.
    private(set) var bytes: [UInt8] = []
    private var entries: [Entry] = []
    /// The index of the oldest live entry in ``entries``.
    private var first = 0
    private(set) var size = 0
    /// The size that may be used, as announced by the encoder.
    private(set) var maximumSize: Int
    /// The number of fields that were ever inserted; it is the number of the newest.
    private(set) var inserted = 0

    init(maximumSize: Int) { self.maximumSize = maximumSize }

    var count: Int { entries.count - first }

    /// The entry with an index from 0, the newest, to `count - 1`.
    @inline(__always)
    func entry(_ index: Int) -> Entry { entries[entries.count - 1 - index] }

    /// Returns the index of the entry with insertion number `number`; nil if it was evicted.
    func index(ofNumber number: Int) -> Int? {
        let index = inserted - number
        return number > 0 && index < count ? index : nil
    }

    /// Changes the size limit (RFC 7541, section 4.3).
    mutating func resize(to size: Int) {
        maximumSize = size
        evict(until: size)
    }

    /// Inserts a field; a field larger than the table empties it (RFC 7541, section 4.4).
    mutating func insert(_ name: FieldName, nameBytes: Span<UInt8>, value: Span<UInt8>, isValueValid: Bool) {
        let needed = nameBytes.count + value.count + 32
        evict(until: maximumSize - needed)
        guard needed <= maximumSize else { return }
        let entry = Entry(
            name: name,
            isValueValid: isValueValid,
            start: bytes.count,
            nameCount: nameBytes.count,
            valueCount: value.count
        )
        inserted += 1
        bytes.append(nameBytes)
        bytes.append(value)
        entries.append(entry)
        size += entry.size
        if bytes.count > 2 * maximumSize + 1024 || first > 256 { tidyUp() }
    }

    private mutating func evict(until limit: Int) {
        while size > max(0, limit), first < entries.count {
            size -= entries[first].size
            first += 1
        }
        if first == entries.count {
            entries.removeAll(keepingCapacity: true)
            bytes.removeAll(keepingCapacity: true)
            first = 0
        }
    }

    private mutating func tidyUp() {
        guard first < entries.count else { return }
        let dead = entries[first].start
        bytes.removeFirst(dead)
        entries.removeFirst(first)
        first = 0
        for index in entries.indices { entries[index].start -= dead }
    }
}

extension [UInt8] {
    /// Creates an array of exactly this size.
    package init(copying bytes: Span<UInt8>) {
        self.init(unsafe bytes.withUnsafeBufferPointer { source in unsafe Array(source) })
    }

    /// Replaces the content, in the same memory if it is large enough.
    package mutating func replaceAll(with bytes: Span<UInt8>) {
        if count == bytes.count {
            // The common case: one message to many devices. Both have the same number of octets.
            unsafe bytes.withUnsafeBufferPointer { source in
                unsafe withUnsafeMutableBufferPointer { target in
                    guard let from = source.baseAddress, let to = target.baseAddress else { return }
                    unsafe to.update(from: from, count: source.count)
                }
            }
        } else {
            removeAll(keepingCapacity: true)
            append(bytes)
        }
    }

    package mutating func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { source in unsafe append(contentsOf: source) }
    }
}
