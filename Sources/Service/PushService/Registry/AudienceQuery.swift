import PushModel

/// A query for an audience with all data needed to answer it. It is created under the app's lock and answered afterwards, while
/// devices change.
struct AudienceQuery: Sendable {
    let flags: DeviceFlags
    /// The number of devices.
    private let count: Int
    let tags: TagQuery
    /// The devices named by alias or registration id, in ascending order; nil if the audience names none that way.
    let named: [DeviceOrdinal]?
    /// Usually none; a device must match all.
    var segments: [SegmentQuery] = []

    init(_ columns: AudienceColumns, _ tags: TagQuery = TagQuery(), named: [DeviceOrdinal]? = nil) {
        flags = columns.flags
        count = columns.count
        self.tags = tags
        self.named = named
    }

    /// Finds the names that the segments mean (``SegmentQuery/markNames()``).
    mutating func markNames() { for place in segments.indices { segments[place].markNames() } }

    func resolution(in environment: APNSEnvironment) -> Resolution {
        if let named { return resolution(named, environment) }
        var resolution = resolveAll(environment)
        if flags.stoppedCount > 0 { resolution.separateStopped(flags) }
        if flags.refusedCount > 0 { resolution.separateRefused(flags) }
        return resolution
    }

    private func resolution(_ named: [DeviceOrdinal], _ environment: APNSEnvironment) -> Resolution {
        var resolution = Resolution()
        let flip: UInt64 = environment == .production ? 0 : .max
        let narrows = !tags.isEmpty || !segments.isEmpty
        let named = named.span
        resolution.reachable = [DeviceOrdinal](capacity: named.count) { reachable in
            var next = 0
            while next < named.count {
                let block = Int(named[next]) / DeviceBits.size
                guard block < flags.active.blocks.count else { break }
                let held = (
                    flags.active.blocks[block].words, flags.production.blocks[block].words,
                    flags.withToken.blocks[block].words
                )
                let active = held.0.span
                let production = held.1.span
                let withToken = held.2.span
                while next < named.count, Int(named[next]) / DeviceBits.size == block {
                    let ordinal = named[next]
                    let place = Int(ordinal) % DeviceBits.size
                    let index = place >> 6
                    let bit = UInt64(1) << UInt64(place & 63)
                    next += 1
                    guard active[index] & bit != 0, !narrows || includes(ordinal) else { continue }
                    if (production[index] ^ flip) & withToken[index] & bit != 0, !flags.isStopped(Int(ordinal)) {
                        reachable.append(ordinal)
                    } else {
                        resolution.add(ordinal, flags, environment: environment)
                    }
                }
            }
        }
        return resolution
    }

    /// Returns whether a device matches the tags and segments.
    func includes(_ ordinal: DeviceOrdinal) -> Bool {
        tags.includes(ordinal) && segments.allSatisfy { $0.includes(ordinal, flags) }
    }

    /// Writes the devices of one block that match the tags and segments.
    ///
    /// - Returns: false if there are none; then `bits` is undefined.
    func answer(block number: Int, into bits: inout DeviceBits) -> Bool {
        guard tags.answer(block: number, into: &bits) else { return false }
        for segment in segments { segment.narrow(&bits, block: number, flags) }
        return true
    }

    private func resolveAll(_ environment: APNSEnvironment) -> Resolution {
        var resolution = Resolution()
        let flip: UInt64 = environment == .production ? 0 : .max
        var members = DeviceBits(all: true)
        var elsewhere: [DeviceOrdinal] = []
        var withoutToken: [DeviceOrdinal] = []
        let bound = tags.bound(count)
        // A word may write up to four ordinals more than it has members.
        resolution.reachable = unsafe [DeviceOrdinal](unsafeUninitializedCapacity: bound + 4) { buffer, written in
            for block in flags.active.blocks.indices where answer(block: block, into: &members) {
                let first = DeviceOrdinal(block * DeviceBits.size)
                let held = (
                    flags.active.blocks[block].words, flags.production.blocks[block].words,
                    flags.withToken.blocks[block].words
                )
                let wanted = members.words.span
                let active = held.0.span
                let production = held.1.span
                let withToken = held.2.span
                for index in wanted.indices {
                    let all = wanted[index] & active[index]
                    let here = all & (production[index] ^ flip)
                    let found = here & withToken[index]
                    let start = first | DeviceOrdinal(index << 6)
                    unsafe Self.write(found, first: start, to: buffer, count: &written)
                    if all == found { continue }
                    elsewhere.append(members: all & ~here, first: start)
                    withoutToken.append(members: here & ~found, first: start)
                }
            }
        }
        resolution.inOtherEnvironment = elsewhere
        resolution.withoutToken = withoutToken
        return resolution
    }

    /// Writes the members among 64 devices, one bit each; `first` is the ordinal of the lowest bit.
    ///
    /// Most words have few members: the first four places are always written, which costs less than counting the members. There
    /// must be room for them.
    @inline(__always)
    private static func write(
        _ members: UInt64,
        first: DeviceOrdinal,
        to buffer: UnsafeMutableBufferPointer<DeviceOrdinal>,
        count written: inout Int
    ) {
        guard let base = buffer.baseAddress else { return }
        let count = members.nonzeroBitCount
        if count == 64 {
            for place in 0..<64 { unsafe base[written + place] = first | DeviceOrdinal(place) }
        } else if count < 2 {
            unsafe base[written] = first | DeviceOrdinal(truncatingIfNeeded: members.trailingZeroBitCount)
        } else {
            var rest = members
            for place in 0..<4 {
                unsafe base[written + place] = first | DeviceOrdinal(truncatingIfNeeded: rest.trailingZeroBitCount)
                rest &= rest &- 1
            }
            var place = written + 4
            while rest != 0 {
                unsafe base[place] = first | DeviceOrdinal(truncatingIfNeeded: rest.trailingZeroBitCount)
                rest &= rest &- 1
                place += 1
            }
        }
        written += count
    }
}

/// The tags of an audience as device sets; nil stands for a tag that no device has.
struct TagQuery: Sendable {
    /// If not empty, devices with none of these are excluded.
    var anyOf: [DeviceSet?] = []
    var allOf: [DeviceSet?] = []
    var noneOf: [DeviceSet?] = []

    var isEmpty: Bool { anyOf.isEmpty && allOf.isEmpty && noneOf.isEmpty }

    func includes(_ ordinal: DeviceOrdinal) -> Bool {
        func has(_ set: DeviceSet?) -> Bool { set?.contains(ordinal) == true }
        return (anyOf.isEmpty || anyOf.contains(where: has)) && allOf.allSatisfy(has) && !noneOf.contains(where: has)
    }

    /// Returns an upper bound for the size of the audience among `count` devices.
    func bound(_ count: Int) -> Int {
        let some = anyOf.isEmpty ? count : anyOf.reduce(0) { $0 + ($1?.count ?? 0) }
        return allOf.reduce(min(count, some)) { min($0, $1?.count ?? 0) }
    }

    /// Writes the members of one block.
    ///
    /// - Returns: false if there are none; then `bits` is undefined.
    func answer(block number: Int, into bits: inout DeviceBits) -> Bool {
        let needed = allOf.map { $0?.block(number) }
        let some = anyOf.map { $0?.block(number) }
        guard needed.allSatisfy({ $0 != nil }), some.isEmpty || some.contains(where: { $0 != nil }) else {
            return false
        }
        var rest = needed[...]
        if !some.isEmpty {
            bits.become(some[0])
            for block in some.dropFirst() { bits.unite(block) }
        } else if let first = rest.popFirst() {
            bits.become(first)
        } else {
            bits.fill(true)
        }
        for block in rest { bits.intersect(block) }
        for set in noneOf { bits.subtract(set?.block(number)) }
        return true
    }

    /// Removes those of one block's members that do not match.
    func narrow(_ bits: inout DeviceBits, block number: Int) {
        if !anyOf.isEmpty {
            var some = DeviceBits(all: false)
            for set in anyOf { some.unite(set?.block(number)) }
            bits.narrow { $0 & some.words[$1] }
        }
        for set in allOf { bits.intersect(set?.block(number)) }
        for set in noneOf { bits.subtract(set?.block(number)) }
    }
}
