/// 65,536 places, a bit each.
struct DeviceBits {
    static let wordCount = 1024

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
        for index in 0..<Self.wordCount { words[index] = isMember ? .max : 0 }
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

    @inline(__always)
    private mutating func combine(_ other: DeviceBits, _ operation: (UInt64, UInt64) -> UInt64) {
        for index in 0..<Self.wordCount { words[index] = operation(words[index], other.words[index]) }
    }

    /// The members, in rising order.
    var places: [UInt16] { (0...UInt16.max).filter { contains(Int($0)) } }
}

extension [DeviceOrdinal] {
    /// Appends the members among 64 devices, a bit each; `first` is the ordinal of the lowest bit.
    @inline(__always)
    mutating func append(members: UInt64, first: DeviceOrdinal) {
        if members == .max {
            append(contentsOf: first...first | 63)
            return
        }
        var rest = members
        while rest != 0 {
            append(first | DeviceOrdinal(truncatingIfNeeded: rest.trailingZeroBitCount))
            rest &= rest &- 1
        }
    }
}
