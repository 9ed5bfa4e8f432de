/// A set of 65,536 places, one bit each.
struct DeviceBits: Sendable {
    static let size = 65_536
    static let wordCount = size / 64

    private(set) var words: ContiguousArray<UInt64>

    /// Creates a full or an empty set.
    init(all isMember: Bool) { words = ContiguousArray(repeating: isMember ? .max : 0, count: Self.wordCount) }

    init(_ places: [UInt16]) {
        self.init(all: false)
        for place in places { set(Int(place), true) }
    }

    func contains(_ place: Int) -> Bool { words[place >> 6] & 1 << UInt64(place & 63) != 0 }

    /// Adds or removes a place.
    ///
    /// - Returns: whether this changed anything.
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

    /// Copies the block; nil is an empty one.
    mutating func become(_ block: DeviceSet.Block?) {
        guard case .many(let other, _)? = block else {
            fill(false)
            return unite(block)
        }
        combine(other) { $1 }
    }

    /// Adds the members of the block; nil is an empty one.
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
        case .few(let places)?:
            let left = places.filter { contains(Int($0)) }
            fill(false)
            for place in left { set(Int(place), true) }
        case .many(let bits, _)?: combine(bits) { $0 & $1 }
        }
    }

    /// Replaces each word that has members by what `narrowed` returns for it and its index.
    mutating func narrow(_ narrowed: (UInt64, Int) -> UInt64) {
        var words = words.mutableSpan
        for index in words.indices where words[index] != 0 { words[index] = narrowed(words[index], index) }
    }

    @inline(__always)
    private mutating func combine(_ other: DeviceBits, _ operation: (UInt64, UInt64) -> UInt64) {
        // As spans, to avoid a uniqueness check per word.
        var words = words.mutableSpan
        let others = other.words.span
        for index in 0..<min(words.count, others.count) { words[index] = operation(words[index], others[index]) }
    }

    /// The members, in ascending order.
    var places: [UInt16] { Array(places(from: 0)) }

    /// Returns the members from a place on, in ascending order, computed lazily.
    func places(from start: Int) -> some Sequence<UInt16> {
        sequence(state: (index: start >> 6, rest: words[start >> 6] & .max << UInt64(start & 63))) { state in
            while state.rest == 0 {
                state.index += 1
                guard state.index < Self.wordCount else { return nil }
                state.rest = words[state.index]
            }
            defer { state.rest &= state.rest - 1 }
            return UInt16(state.index << 6 | state.rest.trailingZeroBitCount)
        }
    }
}

extension [DeviceOrdinal] {
    /// Appends the members among 64 devices, one bit each; `first` is the ordinal of the lowest bit.
    mutating func append(members: UInt64, first: DeviceOrdinal) {
        var rest = members
        while rest != 0 {
            append(first | DeviceOrdinal(truncatingIfNeeded: rest.trailingZeroBitCount))
            rest &= rest &- 1
        }
    }
}
