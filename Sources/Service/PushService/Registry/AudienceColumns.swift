import Foundation
import PushModel

/// The devices of one app, laid out for questions about many of them: a column an attribute, a set of devices a tag.
struct AudienceColumns {
    private(set) var count = 0
    /// Tokens of 32 bytes, as words in their order; zero where there is none, or another.
    private(set) var tokens = PieceColumn(blank: SIMD4<UInt64>.zero)
    private(set) var longTokens: [DeviceOrdinal: DeviceToken] = [:]
    private(set) var withToken = DeviceColumn()
    private(set) var production = DeviceColumn()
    /// Devices on which push is switched off: mostly none.
    private(set) var stopped = DeviceColumn()
    private(set) var stoppedCount = 0
    /// Devices with a sign of life that counts on ``activeDay``.
    private(set) var active = DeviceColumn()
    /// In days since 1970.
    private var activeDay: Int64 = 0
    private(set) var badges = PieceColumn(blank: Int32(0))
    private var versions: ContiguousArray<UInt32> = []
    /// Seconds since 1970.
    private var lastSeen: ContiguousArray<UInt32> = []
    private var aliases = AliasTable()
    private var tagTable = TagTable()

    /// Takes over what the store says of a device, unless something newer is known already.
    mutating func apply(_ device: AudienceEntry) {
        let ordinal = device.id.ordinal
        let place = Int(ordinal)
        if place >= count { grow(to: place + 1) }
        guard device.version > versions[place] || versions[place] == 0 else { return }
        set(device)
        aliases.set(device.alias, of: ordinal)
        tagTable.set(device.tags, of: ordinal)
    }

    /// Whether nothing is known of the device, for which there is to be room.
    func isBlank(_ ordinal: DeviceOrdinal) -> Bool { versions[Int(ordinal)] == 0 && tagTable.isBare(ordinal) }

    /// Takes over all but alias and tags.
    mutating func set(_ device: AudienceEntry) {
        let ordinal = device.id.ordinal
        let place = Int(ordinal)
        versions[place] = device.version
        badges[place] = Int32(device.badge)
        lastSeen[place] = UInt32(clamping: Int64(device.lastSeen.timeIntervalSince1970))
        set(device.token, of: ordinal)
        production.set(place, device.environment == .production)
        setStopped(place, device.isStopped)
        active.set(place, lastSeen[place] >= Self.oldestSign(onDay: activeDay))
    }

    /// Gives aliases and tags to devices that are blank.
    mutating func addNames(of rows: AudienceRows) {
        aliases.add(rows.aliases)
        tagTable.add(rows)
    }

    mutating func grow(to size: Int) {
        let missing = size - count
        tokens.grow(to: size)
        badges.grow(to: size)
        versions.append(contentsOf: repeatElement(0, count: missing))
        lastSeen.append(contentsOf: repeatElement(0, count: missing))
        tagTable.grow(to: size)
        withToken.grow(to: size)
        production.grow(to: size)
        stopped.grow(to: size)
        active.grow(to: size)
        count = size
    }

    private mutating func set(_ token: DeviceToken?, of ordinal: DeviceOrdinal) {
        let place = Int(ordinal)
        withToken.set(place, token != nil)
        if !longTokens.isEmpty { longTokens[ordinal] = nil }
        guard let token else { return }
        guard let words = token.words else {
            longTokens[ordinal] = token
            return
        }
        tokens[place] = words
    }

    func isStopped(_ ordinal: DeviceOrdinal) -> Bool { stoppedCount > 0 && stopped.contains(Int(ordinal)) }

    private mutating func setStopped(_ place: Int, _ isStopped: Bool) {
        guard stopped.contains(place) != isStopped else { return }
        stopped.set(place, isStopped)
        stoppedCount += isStopped ? 1 : -1
    }

    /// The device is not there any more.
    mutating func forget(_ ordinal: DeviceOrdinal) {
        let place = Int(ordinal)
        guard place < count else { return }
        set(nil, of: ordinal)
        production.set(place, false)
        setStopped(place, false)
        active.set(place, false)
        aliases.set(nil, of: ordinal)
        tagTable.set([], of: ordinal)
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
        if !longTokens.isEmpty, let token = longTokens[ordinal] { return token }
        return DeviceToken(words: tokens[place])
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
        lastSeen[Int(ordinal)] >= Self.oldestSign(onDay: Self.day(of: date))
    }

    /// The devices with this alias, in rising order; those that count as gone among them.
    func devices(withAlias alias: String) -> [DeviceOrdinal] { aliases.devices(alias) }

    /// Tags that at least one device has, in no order.
    var tags: some Sequence<String> { tagTable.names }

    func has(_ ordinal: DeviceOrdinal, tag: String) -> Bool { tagTable.has(ordinal, tag: tag) }

    /// The devices with this tag, in rising order.
    func devices(withTag tag: String) -> [DeviceOrdinal] { tagTable[tag]?.ordinals ?? [] }

    /// Nil for a tag that nobody has.
    func set(ofTag tag: String) -> DeviceSet? { tagTable[tag] }

    // MARK: - Signs of life

    /// Brings ``active`` to the day of `date`.
    mutating func renewActivity(at date: Date) {
        let day = Self.day(of: date)
        guard day != activeDay else { return }
        activeDay = day
        let oldest = Self.oldestSign(onDay: day)
        for place in 0..<count { active.set(place, versions[place] > 0 && lastSeen[place] >= oldest) }
    }

    private static func day(of date: Date) -> Int64 { Int64(date.timeIntervalSince1970 / 86_400) }

    /// The last sign of life that still counts on a day, in seconds since 1970: any on the day itself.
    private static func oldestSign(onDay day: Int64) -> UInt32 {
        UInt32(clamping: (day - Int64(JPushLimits.inactiveDays)) * 86_400)
    }
}
