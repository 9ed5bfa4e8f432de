import BitCollections
import Foundation
import PushModel

/// The devices of one app, laid out for questions about many of them: a column an attribute, a bit set a tag.
struct AudienceColumns {
    private(set) var count = 0
    /// 32 bytes a device; zero where there is no token, or a longer one.
    private var tokenBytes: ContiguousArray<UInt8> = []
    private var longTokens: [DeviceOrdinal: DeviceToken] = [:]
    private var withToken = BitSet()
    private var production = BitSet()
    private var badges: ContiguousArray<Int32> = []
    private var versions: ContiguousArray<UInt32> = []
    /// Seconds since 1970.
    private var lastSeen: ContiguousArray<UInt32> = []
    private var aliases = AliasTable()
    private var byTag: [String: BitSet] = [:]
    private var tagCounts: ContiguousArray<UInt16> = []

    /// Takes over what the store says of a device, unless something newer is known already.
    mutating func apply(_ device: Device) {
        let ordinal = device.id.ordinal
        let place = Int(ordinal)
        let isNew = place >= count
        if isNew { grow(to: place + 1) }
        guard isNew || device.version > versions[place] || versions[place] == 0 else { return }
        versions[place] = device.version
        badges[place] = Int32(device.badge)
        lastSeen[place] = UInt32(clamping: Int64(device.lastSeen.timeIntervalSince1970))
        set(device.token, of: ordinal)
        production[member: place] = device.environment == .production
        aliases.set(device.alias, of: ordinal)
        setTags(device.tags, of: place, isNew: isNew)
    }

    private mutating func grow(to size: Int) {
        let missing = size - count
        tokenBytes.append(contentsOf: repeatElement(0, count: 32 * missing))
        badges.append(contentsOf: repeatElement(0, count: missing))
        versions.append(contentsOf: repeatElement(0, count: missing))
        lastSeen.append(contentsOf: repeatElement(0, count: missing))
        tagCounts.append(contentsOf: repeatElement(0, count: missing))
        count = size
    }

    private mutating func set(_ token: DeviceToken?, of ordinal: DeviceOrdinal) {
        let place = Int(ordinal)
        withToken[member: place] = token != nil
        longTokens[ordinal] = nil
        guard let token else { return }
        if token.bytes.count == 32 {
            tokenBytes.replaceSubrange(place * 32..<place * 32 + 32, with: token.bytes)
        } else {
            longTokens[ordinal] = token
        }
    }

    private mutating func setTags(_ tags: [String], of place: Int, isNew: Bool) {
        let hasAll = tags.allSatisfy { byTag[$0]?.contains(place) == true }
        // Most changes are not about tags: only one that is walks all tags of the app.
        if hasAll, Int(tagCounts[place]) == tags.count { return }
        tagCounts[place] = UInt16(clamping: tags.count)
        if !isNew { removeTags(besides: tags, of: place) }
        for tag in tags { byTag[tag, default: BitSet()].insert(place) }
    }

    private mutating func removeTags(besides tags: [String], of place: Int) {
        let old = byTag.filter { $0.value.contains(place) && !tags.contains($0.key) }.keys
        for tag in old {
            byTag[tag]?.remove(place)
            if byTag[tag]?.isEmpty == true { byTag[tag] = nil }
        }
    }

    /// The device is not there any more.
    mutating func forget(_ ordinal: DeviceOrdinal) {
        let place = Int(ordinal)
        guard place < count else { return }
        set(nil, of: ordinal)
        production[member: place] = false
        aliases.set(nil, of: ordinal)
        setTags([], of: place, isNew: false)
        (versions[place], lastSeen[place], badges[place]) = (0, 0, 0)
    }

    /// In rising order.
    func devices(unseenSince date: Date) -> [DeviceOrdinal] {
        let oldest = UInt32(clamping: Int64(date.timeIntervalSince1970))
        return (0..<count).filter { versions[$0] > 0 && lastSeen[$0] < oldest }.map { DeviceOrdinal($0) }
    }

    func contains(_ ordinal: DeviceOrdinal) -> Bool { Int(ordinal) < count && versions[Int(ordinal)] > 0 }

    func hasToken(_ ordinal: DeviceOrdinal) -> Bool { withToken.contains(Int(ordinal)) }

    func token(of ordinal: DeviceOrdinal) -> DeviceToken? {
        let place = Int(ordinal)
        guard place < count, withToken.contains(place) else { return nil }
        return longTokens[ordinal] ?? DeviceToken(bytes: tokenBytes[place * 32..<place * 32 + 32])
    }

    func environment(of ordinal: DeviceOrdinal) -> APNSEnvironment {
        production.contains(Int(ordinal)) ? .production : .development
    }

    func badge(of ordinal: DeviceOrdinal) -> Int { Int(badges[Int(ordinal)]) }

    func lastSeen(_ ordinal: DeviceOrdinal) -> Date {
        Date(timeIntervalSince1970: TimeInterval(lastSeen[Int(ordinal)]))
    }

    /// Whether the device has been seen in the last 255 days.
    func isActive(_ ordinal: DeviceOrdinal, at date: Date) -> Bool {
        lastSeen[Int(ordinal)] >= Self.oldestSign(at: date)
    }

    /// The devices with this alias, in rising order; those that count as gone among them.
    func devices(withAlias alias: String) -> [DeviceOrdinal] { aliases.devices(alias) }

    /// Tags that at least one device has, in no order.
    var tags: some Sequence<String> { byTag.keys }

    func has(_ ordinal: DeviceOrdinal, tag: String) -> Bool { byTag[tag]?.contains(Int(ordinal)) == true }

    /// The devices with this tag, in rising order.
    func devices(withTag tag: String) -> [DeviceOrdinal] { devices(tagged: tag).map { DeviceOrdinal($0) } }

    /// The devices of an audience, in rising order; those not seen for 255 days count as gone.
    ///
    /// `ordinal`: the device that a registration id stands for in this app.
    func members(
        of audience: Audience,
        at date: Date,
        ordinal: (RegistrationID) -> DeviceOrdinal?
    ) -> [DeviceOrdinal] {
        let oldest = Self.oldestSign(at: date)
        var members: [DeviceOrdinal] = []
        for place in matching(audience, ordinal: ordinal) where versions[place] > 0 && lastSeen[place] >= oldest {
            members.append(DeviceOrdinal(place))
        }
        return members
    }

    private func matching(_ audience: Audience, ordinal: (RegistrationID) -> DeviceOrdinal?) -> BitSet {
        guard case .filter(let filter) = audience else { return BitSet(0..<count) }
        guard !filter.namesUnknownSegment else { return BitSet() }
        var sets: [BitSet] = []
        if !filter.tags.isEmpty {
            sets.append(filter.tags.reduce(into: BitSet()) { $0.formUnion(devices(tagged: $1)) })
        }
        sets += filter.tagsAnd.map(devices(tagged:))
        if !filter.aliases.isEmpty {
            sets.append(BitSet(filter.aliases.flatMap(aliases.devices).map { Int($0) }))
        }
        if !filter.registrationIDs.isEmpty {
            sets.append(BitSet(filter.registrationIDs.compactMap(ordinal).map { Int($0) }.filter { $0 < count }))
        }
        var result = sets.first ?? BitSet(0..<count)
        for set in sets.dropFirst() { result.formIntersection(set) }
        for tag in filter.tagsNot { result.subtract(devices(tagged: tag)) }
        return result
    }

    private func devices(tagged tag: String) -> BitSet { byTag[tag] ?? BitSet() }

    /// The last sign of life that still counts, in seconds since 1970: any on that day.
    private static func oldestSign(at date: Date) -> UInt32 {
        let day = Int64(date.timeIntervalSince1970 / 86_400)
        return UInt32(clamping: (day - Int64(JPushLimits.inactiveDays)) * 86_400)
    }
}
