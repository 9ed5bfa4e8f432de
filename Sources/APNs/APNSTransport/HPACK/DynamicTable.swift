/// The fields that a connection has agreed to remember, oldest first to go (RFC 7541, sections 2.3.2 and 4).
struct DynamicTable {
    struct Entry {
        var name: FieldName
        var isValueValid: Bool
        /// Where name and value, in this order, begin in ``bytes``.
        var start: Int
        var nameCount: Int
        var valueCount: Int

        /// RFC 7541, section 4.1.
        var size: Int { nameCount + valueCount + 32 }
        var nameRange: Range<Int> { start..<start + nameCount }
        var valueRange: Range<Int> { start + nameCount..<start + nameCount + valueCount }
    }

    /// Names and values one after another; what is evicted leaves at the next tidying up.
    private(set) var bytes: [UInt8] = []
    private var entries: [Entry] = []
    /// The oldest living entry in ``entries``.
    private var first = 0
    private(set) var size = 0
    /// The size that may be used, as the encoder has announced it.
    private(set) var maximumSize: Int
    /// How many fields were ever inserted; the newest has this number.
    private(set) var inserted = 0

    init(maximumSize: Int) { self.maximumSize = maximumSize }

    var count: Int { entries.count - first }

    /// The entry with an index from 0, the newest, to `count - 1`.
    @inline(__always)
    func entry(_ index: Int) -> Entry { entries[entries.count - 1 - index] }

    /// The index of the entry that was inserted as number `number`; nil if it is gone.
    func index(ofNumber number: Int) -> Int? {
        let index = inserted - number
        return number > 0 && index < count ? index : nil
    }

    /// RFC 7541, section 4.3.
    mutating func resize(to size: Int) {
        maximumSize = size
        evict(until: size)
    }

    /// Inserts a field; one that is larger than the table empties it (RFC 7541, section 4.4).
    mutating func insert(_ name: FieldName, _ nameBytes: Span<UInt8>, _ value: Span<UInt8>, isValueValid: Bool) {
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
    /// An array of just this size.
    package init(copying bytes: Span<UInt8>) {
        self.init(unsafe bytes.withUnsafeBufferPointer { source in unsafe Array(source) })
    }

    /// Takes other content, in the same memory if it is enough.
    package mutating func replaceAll(with bytes: Span<UInt8>) {
        if count == bytes.count {
            // As it often is: one message to many. Both have so many octets.
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

    mutating func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { source in unsafe append(contentsOf: source) }
    }
}
