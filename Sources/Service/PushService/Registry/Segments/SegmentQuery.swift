import Foundation
import PushModel

/// A segment with the columns that its conditions need, so that it is evaluated while devices change.
///
/// The lock of the app is held while the columns are taken. Their names are examined after that (``markNames()``): an app's devices may have
/// tens of thousands of versions.
struct SegmentQuery: Sendable {
    private enum Condition {
        case named(NameColumn, isMeant: [Bool])
        case registered(PieceColumn<UInt32>, from: UInt32)
        case seen(LastSeenTimes, ClosedRange<UInt32>)
        case states(Set<Segment.PushState>)
        case share(Segment.Share)
    }

    private var tags = TagQuery()
    private var conditions: [Condition] = []
    /// The tests of names that have not been made, by their conditions.
    private var tests: [(condition: Int, isMeant: @Sendable (String) -> Bool)] = []

    /// With `marksNames` false, ``markNames()`` has to be called before anything is asked.
    init(
        _ segment: Segment,
        _ columns: AudienceColumns,
        at date: Date,
        past: PastDevices = PastDevices(),
        marksNames: Bool = true
    ) {
        if case .filter(let filter) = segment.audience {
            tags = columns.tagQuery(filter, past)
            if !filter.aliases.isEmpty {
                var named = DeviceSet()
                named.insert(columns.aliases.devices(anyOf: KeyedHash.hashes(filter.aliases))[...])
                tags.allOf.append(named)
            }
        }
        if let versions = segment.appVersions { add(columns.appVersions) { versions.contains($0) } }
        if segment.hasZones { add(columns.zones.column) { segment.includes(zone: $0) } }
        if segment.hasLanguages { add(columns.languages) { segment.includes(language: $0) } }
        if !segment.systems.isEmpty { add(columns.systems) { segment.includes(system: $0) } }
        for (name, values) in segment.attributes { add(columns.attributes[name]) { values.contains(ExactText($0)) } }
        func before(_ days: Int) -> UInt32 {
            UInt32(clamping: Int64(date.timeIntervalSince1970) - Int64(days) * 86_400)
        }
        if let days = segment.registeredWithinDays {
            // 0 stands for an unknown time.
            conditions.append(.registered(columns.registered, from: max(1, before(days))))
        }
        if segment.seenWithinDays != nil || segment.unseenForDays != nil {
            let first = segment.seenWithinDays.map(before) ?? 0
            let last = segment.unseenForDays.map(before) ?? .max
            // No time is within both limits: 0 stands for a device that was never seen.
            conditions.append(.seen(columns.seen, first <= last ? first...last : 0...0))
        }
        if !segment.pushStates.isEmpty { conditions.append(.states(segment.pushStates)) }
        if let share = segment.share { conditions.append(.share(share)) }
        if marksNames { markNames() }
    }

    private mutating func add(_ column: NameColumn, _ isMeant: @escaping @Sendable (String) -> Bool) {
        tests.append((conditions.count, isMeant))
        conditions.append(.named(column, isMeant: []))
    }

    /// Finds the names that are meant. Call it without the lock of the app.
    mutating func markNames() {
        for test in tests {
            guard case .named(let column, _) = conditions[test.condition] else { continue }
            conditions[test.condition] = .named(column, isMeant: column.marks(test.isMeant))
        }
        tests = []
    }

    func includes(_ ordinal: DeviceOrdinal, _ flags: DeviceFlags) -> Bool {
        tags.includes(ordinal) && members(of: 1 << UInt64(ordinal & 63), at: Int(ordinal >> 6), flags) != 0
    }

    /// Removes those of one block's members that are not in the segment.
    func narrow(_ bits: inout DeviceBits, block number: Int, _ flags: DeviceFlags) {
        tags.narrow(&bits, block: number)
        guard !conditions.isEmpty else { return }
        bits.narrow { members(of: $0, at: number * DeviceBits.wordCount + $1, flags) }
    }

    /// Returns those of 64 devices, one bit each, that meet all conditions; `index` is the number of the word.
    private func members(of word: UInt64, at index: Int, _ flags: DeviceFlags) -> UInt64 {
        conditions.reduce(word) { word, condition in
            switch condition {
            case .named(let column, let isMeant): column.members(of: word, at: index, where: isMeant)
            case .registered(let column, let first): column.members(of: word, at: index) { $0 >= first }
            case .seen(let times, let range): times.members(of: word, at: index, in: range)
            case .states(let states): word & flags.members(of: states, at: index)
            case .share(let share): share.members(of: word, at: index)
            }
        }
    }
}

extension DeviceFlags {
    /// Returns those of 64 devices, one bit each, that are in one of the states.
    fileprivate func members(of states: Set<Segment.PushState>, at index: Int) -> UInt64 {
        let off = stopped.word(index)
        let token = withToken.word(index)
        return states.reduce(0) { found, state in
            switch state {
            case .reachable: found | token & ~off
            case .withoutToken: found | ~(token | refused.word(index) | off)
            case .refused: found | refused.word(index) & ~off
            case .off: found | off
            }
        }
    }
}

extension Segment.Share {
    fileprivate func members(of word: UInt64, at index: Int) -> UInt64 {
        var found = UInt64(0)
        var rest = word
        while rest != 0 {
            let bit = rest.trailingZeroBitCount
            if contains(DeviceOrdinal(index << 6 | bit)) { found |= 1 << UInt64(bit) }
            rest &= rest &- 1
        }
        return found
    }
}
