import PushModel

/// Devices of one app: a bit each where they lie close, and two bytes each where they do not.
///
/// In blocks of 65,536 places, so that a tag of few devices stays small in an app of millions, and a question about many
/// devices is answered block by block in 8 KiB that stay in the processor's cache.
struct DeviceSet {
    /// A block with more than this many devices is kept as bits: from there on they are smaller.
    private static let few = 4096

    enum Block {
        /// Places within the block, in rising order.
        case few([UInt16])
        case many(DeviceBits, count: Int)
    }

    private(set) var blocks: [Block] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    func contains(_ ordinal: DeviceOrdinal) -> Bool {
        let number = Int(ordinal >> 16)
        guard number < blocks.count else { return false }
        switch blocks[number] {
        case .few(let places): return Self.search(places, UInt16(truncatingIfNeeded: ordinal)).isFound
        case .many(let bits, _): return bits.contains(Int(ordinal & 0xFFFF))
        }
    }

    mutating func insert(_ ordinal: DeviceOrdinal) {
        let number = Int(ordinal >> 16)
        while blocks.count <= number { blocks.append(.few([])) }
        if blocks[number].insert(UInt16(truncatingIfNeeded: ordinal), few: Self.few) { count += 1 }
    }

    /// Their ordinals rise.
    mutating func insert(_ ordinals: ArraySlice<DeviceOrdinal>) {
        var rest = ordinals
        while let first = rest.first {
            let number = Int(first >> 16)
            while blocks.count <= number { blocks.append(.few([])) }
            let here = rest.prefix { Int($0 >> 16) == number }
            count += blocks[number].insert(here, few: Self.few)
            rest = rest.dropFirst(here.count)
        }
    }

    mutating func remove(_ ordinal: DeviceOrdinal) {
        let number = Int(ordinal >> 16)
        guard number < blocks.count else { return }
        if blocks[number].remove(UInt16(truncatingIfNeeded: ordinal), few: Self.few) { count -= 1 }
    }

    /// In rising order.
    var ordinals: [DeviceOrdinal] {
        var ordinals: [DeviceOrdinal] = []
        ordinals.reserveCapacity(count)
        for (number, block) in blocks.enumerated() {
            let first = DeviceOrdinal(number) << 16
            switch block {
            case .few(let places): ordinals += places.lazy.map { first | DeviceOrdinal($0) }
            case .many(let bits, _):
                for index in 0..<DeviceBits.wordCount {
                    ordinals.append(members: bits.words[index], first: first | DeviceOrdinal(index << 6))
                }
            }
        }
        return ordinals
    }

    fileprivate static func search(_ places: [UInt16], _ place: UInt16) -> (index: Int, isFound: Bool) {
        // Devices are mostly added in rising order.
        guard let last = places.last, last >= place else { return (places.count, false) }
        var (low, high) = (0, places.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < place { low = middle + 1 } else { high = middle }
        }
        return (low, places[low] == place)
    }
}

extension DeviceSet.Block {
    /// - Returns: whether it was not there.
    fileprivate mutating func insert(_ place: UInt16, few: Int) -> Bool {
        switch consume self {
        case .few(var places):
            let (index, isFound) = DeviceSet.search(places, place)
            if !isFound { places.insert(place, at: index) }
            self = places.count > few ? .many(DeviceBits(places), count: places.count) : .few(places)
            return !isFound
        case .many(var bits, let count):
            let isNew = bits.set(Int(place), true)
            self = .many(bits, count: isNew ? count + 1 : count)
            return isNew
        }
    }

    /// Adds those with these ordinals, which rise.
    ///
    /// - Returns: how many of them were not there.
    fileprivate mutating func insert(_ ordinals: ArraySlice<DeviceOrdinal>, few: Int) -> Int {
        if case .few(let places) = self {
            let isBehind = places.last.map { $0 < UInt16(truncatingIfNeeded: ordinals[ordinals.startIndex]) } ?? true
            guard isBehind else {
                return ordinals.reduce(0) { $0 + (insert(UInt16(truncatingIfNeeded: $1), few: few) ? 1 : 0) }
            }
        }
        switch consume self {
        case .few(var places):
            places.append(contentsOf: ordinals.lazy.map { UInt16(truncatingIfNeeded: $0) })
            self = places.count > few ? .many(DeviceBits(places), count: places.count) : .few(places)
            return ordinals.count
        case .many(var bits, let count):
            var added = 0
            for ordinal in ordinals where bits.set(Int(ordinal & 0xFFFF), true) { added += 1 }
            self = .many(bits, count: count + added)
            return added
        }
    }

    /// - Returns: whether it was there.
    fileprivate mutating func remove(_ place: UInt16, few: Int) -> Bool {
        switch consume self {
        case .few(var places):
            let (index, isFound) = DeviceSet.search(places, place)
            if isFound { places.remove(at: index) }
            self = .few(places)
            return isFound
        case .many(var bits, let count):
            let wasThere = bits.set(Int(place), false)
            let left = wasThere ? count - 1 : count
            // Not at the same number at which it became bits, so that it does not go to and fro.
            self = left <= few / 2 ? .few(bits.places) : .many(bits, count: left)
            return wasThere
        }
    }
}
