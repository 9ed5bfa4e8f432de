/// A set of devices of one app: one bit each where they are dense, and two bytes each where they are sparse.
///
/// Stored in blocks of 65,536 places, so that a tag of few devices stays small in an app of millions, and a query over many devices
/// runs block by block in 8 KiB that stay in the processor's cache.
struct DeviceSet: Sendable {
    /// The number of devices above which a block is stored as bits, which are smaller from there on.
    private static let few = 4096

    enum Block: Sendable {
        /// Places within the block, in ascending order.
        case few([UInt16])
        case many(DeviceBits, count: Int)
    }

    private struct Piece: Sendable {
        var number: UInt16
        var block: Block
    }

    /// The only device of a set that never had two; it needs no other memory.
    private var only: DeviceOrdinal = 0
    /// The blocks with devices, by number.
    private var pieces: [Piece] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    private var isOne: Bool { count == 1 && pieces.isEmpty }

    /// Returns a block; nil if it has no devices.
    func block(_ number: Int) -> Block? {
        if isOne { return Int(only >> 16) == number ? .few([UInt16(truncatingIfNeeded: only)]) : nil }
        return index(of: number).map { pieces[$0].block }
    }

    private func index(of number: Int) -> Int? {
        // Most large sets have devices in every block.
        if number < pieces.count, pieces[number].number == number { return number }
        let index = place(of: number)
        return index < pieces.count && pieces[index].number == number ? index : nil
    }

    /// Returns the index of the first piece whose number is not below this one.
    private func place(of number: Int) -> Int {
        pieces.partitioningIndex { $0.number >= number }
    }

    func contains(_ ordinal: DeviceOrdinal) -> Bool {
        if isOne { return only == ordinal }
        guard let index = index(of: Int(ordinal >> 16)) else { return false }
        switch pieces[index].block {
        case .few(let places): return Self.search(places, UInt16(truncatingIfNeeded: ordinal)).isFound
        case .many(let bits, _): return bits.contains(Int(ordinal & 0xFFFF))
        }
    }

    mutating func insert(_ ordinal: DeviceOrdinal) {
        if count == 0 {
            only = ordinal
            count = 1
            return
        }
        if isOne {
            guard only != ordinal else { return }
            spread()
        }
        let index = makePart(Int(ordinal >> 16))
        if pieces[index].block.insert(UInt16(truncatingIfNeeded: ordinal), few: Self.few) { count += 1 }
    }

    /// Inserts devices whose ordinals ascend.
    mutating func insert(_ ordinals: ArraySlice<DeviceOrdinal>) {
        if ordinals.count == 1, let ordinal = ordinals.first { return insert(ordinal) }
        if isOne { spread() }
        var rest = ordinals
        while let first = rest.first {
            let number = Int(first >> 16)
            let index = makePart(number)
            let here = rest.prefix { Int($0 >> 16) == number }
            count += pieces[index].block.insert(here, few: Self.few)
            rest = rest.dropFirst(here.count)
        }
    }

    private mutating func spread() {
        pieces = [Piece(number: UInt16(only >> 16), block: .few([UInt16(truncatingIfNeeded: only)]))]
    }

    private mutating func makePart(_ number: Int) -> Int {
        if let index = index(of: number) { return index }
        let index = place(of: number)
        pieces.insert(Piece(number: UInt16(number), block: .few([])), at: index)
        return index
    }

    mutating func remove(_ ordinal: DeviceOrdinal) {
        if isOne {
            if only == ordinal { count = 0 }
            return
        }
        guard let index = index(of: Int(ordinal >> 16)),
            pieces[index].block.remove(UInt16(truncatingIfNeeded: ordinal), few: Self.few)
        else { return }
        count -= 1
        if pieces[index].block.isEmpty { pieces.remove(at: index) }
    }

    /// Returns up to `limit` devices from an ordinal on, in ascending order.
    func ordinals(from start: DeviceOrdinal, limit: Int) -> [DeviceOrdinal] {
        if isOne { return only >= start && limit > 0 ? [only] : [] }
        var found: [DeviceOrdinal] = []
        for piece in pieces[place(of: Int(start >> 16))...] {
            let first = DeviceOrdinal(piece.number) << 16
            let from = start > first ? Int(start - first) : 0
            guard found.count < limit else { break }
            let room = limit - found.count
            switch piece.block {
            case .few(let places):
                // Skip the places before it.
                let index = Self.search(places, UInt16(from)).index
                found += places[min(index, places.count)...].prefix(room).map { first | DeviceOrdinal($0) }
            case .many(let bits, _): found += bits.places(from: from).prefix(room).map { first | DeviceOrdinal($0) }
            }
        }
        return found
    }

    /// The ordinals in ascending order.
    var ordinals: [DeviceOrdinal] {
        if isOne { return [only] }
        var ordinals: [DeviceOrdinal] = []
        ordinals.reserveCapacity(count)
        for piece in pieces {
            let first = DeviceOrdinal(piece.number) << 16
            switch piece.block {
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
        // Devices are usually added in ascending order.
        guard let last = places.last, last >= place else { return (places.count, false) }
        var low = 0
        var high = places.count - 1
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < place { low = middle + 1 } else { high = middle }
        }
        return (low, places[low] == place)
    }
}

extension DeviceSet.Block {
    fileprivate var isEmpty: Bool {
        switch self {
        case .few(let places): places.isEmpty
        case .many(_, let count): count == 0
        }
    }

    /// Inserts a place.
    ///
    /// - Returns: whether it was new.
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

    /// Inserts devices whose ordinals ascend.
    ///
    /// - Returns: the number of new ones.
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

    /// Removes a place.
    ///
    /// - Returns: whether it was present.
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
            // Below the number at which it became bits, to avoid switching back and forth.
            self = left <= few / 2 ? .few(bits.places) : .many(bits, count: left)
            return wasThere
        }
    }
}
