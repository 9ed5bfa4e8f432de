/// 65,536 places, a bit each.
struct DeviceBits {
    static let size = 65_536
    static let wordCount = size / 64

    private(set) var words: ContiguousArray<UInt64>

    /// All places, or none.
    init(all isMember: Bool) { words = ContiguousArray(repeating: isMember ? .max : 0, count: Self.wordCount) }

    init(_ places: [UInt16]) {
        self.init(all: false)
        for place in places { set(Int(place), true) }
    }

    func contains(_ place: Int) -> Bool { words[place >> 6] & 1 << UInt64(place & 63) != 0 }

    /// - Returns: whether that has changed anything.
    @discardableResult
    mutating func set(_ place: Int, _ isMember: Bool) -> Bool {
        let bit: UInt64 = 1 << UInt64(place & 63)
        let old = words[place >> 6]
        words[place >> 6] = isMember ? old | bit : old & ~bit
        return (old & bit != 0) != isMember
    }

    mutating func fill(_ isMember: Bool) {
        var words = words.mutableSpan
        for index in words.indices { words[index] = isMember ? .max : 0 }
    }

    /// Adds what is in the block; nil is an empty one.
    mutating func unite(_ block: DeviceSet.Block?) {
        switch block {
        case nil: return
        case .few(let places)?: for place in places { set(Int(place), true) }
        case .many(let bits, _)?: combine(bits) { $0 | $1 }
        }
    }

    mutating func subtract(_ block: DeviceSet.Block?) {
        switch block {
        case nil: return
        case .few(let places)?: for place in places { set(Int(place), false) }
        case .many(let bits, _)?: combine(bits) { $0 & ~$1 }
        }
    }

    mutating func intersect(_ block: DeviceSet.Block?) {
        switch block {
        case nil: fill(false)
        case .few(let places)?: self = DeviceBits(places.filter { contains(Int($0)) })
        case .many(let bits, _)?: combine(bits) { $0 & $1 }
        }
    }

    /// `others`: as many words as there are here.
    mutating func intersect(_ others: Span<UInt64>) {
        var words = words.mutableSpan
        for index in 0..<min(words.count, others.count) { words[index] &= others[index] }
    }

    /// Becomes those members of `bits` that are in both columns, of which the first is flipped where `flip` says so.
    ///
    /// - Returns: whether that is all of them.
    mutating func fill(_ bits: DeviceBits, _ first: Span<UInt64>, flip: UInt64, _ second: Span<UInt64>) -> Bool {
        var words = words.mutableSpan
        let bits = bits.words.span
        var missing: UInt64 = 0
        for index in 0..<min(words.count, bits.count, first.count, second.count) {
            let found = bits[index] & (first[index] ^ flip) & second[index]
            words[index] = found
            missing |= bits[index] ^ found
        }
        return missing == 0
    }

    @inline(__always)
    private mutating func combine(_ other: DeviceBits, _ operation: (UInt64, UInt64) -> UInt64) {
        // As spans, so that neither is asked for each word whether somebody else holds it.
        var words = words.mutableSpan
        let others = other.words.span
        for index in 0..<min(words.count, others.count) { words[index] = operation(words[index], others[index]) }
    }

    /// The members, in rising order.
    var places: [UInt16] { (0...UInt16.max).filter { contains(Int($0)) } }
}

extension OutputSpan<DeviceOrdinal> {
    /// Appends the members among 64 devices, a bit each; `first` is the ordinal of the lowest bit.
    @inline(__always)
    mutating func append(members: UInt64, first: DeviceOrdinal) {
        if members == .max {
            for place in 0..<64 as Range<DeviceOrdinal> { append(first | place) }
            return
        }
        var rest = members
        while rest != 0 {
            append(first | DeviceOrdinal(truncatingIfNeeded: rest.trailingZeroBitCount))
            rest &= rest &- 1
        }
    }
}

extension [DeviceOrdinal] {
    /// Appends the members among 64 devices, a bit each; `first` is the ordinal of the lowest bit.
    mutating func append(members: UInt64, first: DeviceOrdinal) {
        append(addingCapacity: members.nonzeroBitCount) { $0.append(members: members, first: first) }
    }
}
