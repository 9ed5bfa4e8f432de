import Foundation
import PushModel

/// The devices of one app, laid out for queries over many of them: a column per attribute, a device set per tag.
///
/// The cost of a change depends only on its size: growing moves nothing, and a change while a reader holds a part copies one piece.
struct AudienceColumns: Sendable {
    private(set) var count = 0
    /// Tokens of 32 bytes as words in order; zero if there is none, or one of another length.
    private(set) var tokens = PieceColumn(blank: SIMD4<UInt64>.zero)
    private(set) var longTokens: [DeviceOrdinal: DeviceToken] = [:]
    private(set) var flags = DeviceFlags()
    /// The day for which ``DeviceFlags/active`` is correct, in days since 1970.
    private var activeDay: Int64 = 0
    private(set) var badges = PieceColumn(blank: Int32(0))
    private(set) var zones = ZoneColumn()
    private(set) var appVersions = NameColumn()
    private(set) var systems = NameColumn()
    private(set) var languages = NameColumn()
    /// When the devices registered, in seconds since 1970; 0 if that is unknown.
    private(set) var registered = PieceColumn(blank: UInt32(0))
    var attributes = AttributeColumns()
    private var versions = PieceColumn(blank: UInt32(0))
    /// The version of a deleted device: later updates are older than it.
    private static let forgotten = UInt32.max
    private(set) var seen = LastSeenTimes()
    /// The devices of each alias, by the hash of the alias, which is not stored.
    ///
    /// Two aliases of one app with the same hash would be confused. The hash is seeded anew in each process, so nobody can search
    /// for such a pair, and among a million aliases one in 10^13 lookups collides by chance.
    private(set) var aliases = HashedOrdinals()
    var tagTable = TagTable()

    /// Applies the store's state of a device, unless a newer one is known.
    mutating func apply(_ device: AudienceEntry) { apply(CollectionOfOne(device)) }

    /// Applies the store's state of devices, unless a newer one is known.
    mutating func apply(_ devices: some Collection<AudienceEntry>) {
        var tags: [(ordinal: DeviceOrdinal, tags: [String])] = []
        tags.reserveCapacity(devices.count)
        let end = devices.reduce(0) { max($0, Int($1.id.ordinal) + 1) }
        if end > count { grow(to: end) }
        var last: DeviceOrdinal?
        for device in devices {
            let ordinal = device.id.ordinal
            let place = Int(ordinal)
            guard device.version > versions[place] || versions[place] == 0 else { continue }
            // A device that occurs twice gets its first tags first.
            if let previous = last, previous >= ordinal {
                tagTable.set(tags)
                tags.removeAll(keepingCapacity: true)
            }
            set(device)
            aliases.set(device.alias.map { KeyedHash.hash($0) } ?? 0, of: ordinal)
            tags.append((ordinal, device.tags))
            last = ordinal
        }
        tagTable.set(tags)
    }

    /// Returns whether nothing is known of the device, for which there must be room.
    func isBlank(_ ordinal: DeviceOrdinal) -> Bool { versions[Int(ordinal)] == 0 && tagTable.isBare(ordinal) }

    /// Sets everything but alias and tags.
    mutating func set(_ device: AudienceEntry) {
        let ordinal = device.id.ordinal
        let place = Int(ordinal)
        versions[place] = device.version
        badges[place] = Int32(device.badge)
        // A device seen at time 0 was still seen.
        seen[place] = max(1, UInt32(clamping: Int64(device.lastSeen.timeIntervalSince1970)))
        set(device.token, of: ordinal)
        flags.production.set(place, device.environment == .production)
        flags.setStopped(place, device.isStopped)
        flags.setRefused(place, device.isRefused)
        flags.provedAlias.set(place, device.isAliasProved)
        flags.active.set(place, seen[place] >= DeviceActivity.oldestSign(onDay: activeDay))
        zones.set(place, device.zone)
        appVersions.set(place, device.appVersion)
        systems.set(place, device.system)
        languages.set(place, device.language)
        if let date = device.registeredAt { registered[place] = Self.seconds(date) }
        attributes.set(place, device.attributes)
    }

    /// Applies the store's state of attributes, except those of devices of which a newer state is known.
    mutating func apply(_ devices: [StoredAttributes]) {
        for device in devices where Int(device.ordinal) < count && device.version >= versions[Int(device.ordinal)] {
            attributes.set(Int(device.ordinal), device.attributes)
        }
    }

    /// Applies badges, each of which is the next change of its device.
    ///
    /// - Returns: the devices of which another change is missing here.
    mutating func apply(_ stored: [StoredBadge]) -> [DeviceOrdinal] {
        var outdated: [DeviceOrdinal] = []
        for badge in stored {
            let place = Int(badge.ordinal)
            let known = place < count ? versions[place] : 0
            if known &+ 1 == badge.version {
                versions[place] = badge.version
                badges[place] = Int32(badge.badge)
            } else if known < badge.version {
                outdated.append(badge.ordinal)
            }
        }
        return outdated
    }

    mutating func grow(to size: Int) {
        tokens.grow(to: size)
        badges.grow(to: size)
        registered.grow(to: size)
        versions.grow(to: size)
        seen.grow(to: size)
        flags.grow(to: size)
        count = size
    }

    private mutating func set(_ token: DeviceToken?, of ordinal: DeviceOrdinal) {
        let place = Int(ordinal)
        flags.withToken.set(place, token != nil)
        if !longTokens.isEmpty { longTokens[ordinal] = nil }
        guard let token else { return }
        guard let words = token.words else {
            longTokens[ordinal] = token
            return
        }
        // A sender may hold the piece: an unchanged value copies nothing.
        if tokens[place] != words { tokens[place] = words }
    }

    func isStopped(_ ordinal: DeviceOrdinal) -> Bool { flags.isStopped(Int(ordinal)) }

    /// Removes a deleted device. It need not be known: its state may have been read before it was deleted, and arrive later.
    mutating func forget(_ ordinal: DeviceOrdinal) {
        let place = Int(ordinal)
        if place >= count { grow(to: place + 1) }
        set(nil, of: ordinal)
        flags.production.set(place, false)
        flags.setStopped(place, false)
        flags.setRefused(place, false)
        flags.provedAlias.set(place, false)
        flags.active.set(place, false)
        zones.set(place, nil)
        appVersions.set(place, nil)
        systems.set(place, nil)
        languages.set(place, nil)
        attributes.set(place, [:])
        aliases.set(0, of: ordinal)
        tagTable.set([(ordinal, [])])
        versions[place] = Self.forgotten
        seen[place] = 0
        badges[place] = 0
    }

    /// Returns the pieces of ``LastSeenTimes`` that may have devices not seen since `date`.
    func pieces(unseenSince date: Date) -> [Int] { seen.pieces(before: Self.seconds(date)) }

    /// Returns the devices of a piece that were not seen since `date`, in ascending order.
    mutating func devices(ofPiece number: Int, unseenSince date: Date) -> [DeviceOrdinal] {
        seen.places(ofPiece: number, before: Self.seconds(date)).map { DeviceOrdinal($0) }
    }

    private static func seconds(_ date: Date) -> UInt32 { UInt32(clamping: Int64(date.timeIntervalSince1970)) }

    func contains(_ ordinal: DeviceOrdinal) -> Bool {
        guard Int(ordinal) < count else { return false }
        let version = versions[Int(ordinal)]
        return version != 0 && version != Self.forgotten
    }

    func hasToken(_ ordinal: DeviceOrdinal) -> Bool { flags.withToken.contains(Int(ordinal)) }

    func hasDevice(with token: DeviceToken) -> Bool {
        guard let words = token.words else { return longTokens.values.contains(token) }
        return (0..<count).contains { tokens[$0] == words && flags.withToken.contains($0) }
    }

    func token(of ordinal: DeviceOrdinal) -> DeviceToken? {
        let place = Int(ordinal)
        guard place < count, flags.withToken.contains(place) else { return nil }
        if !longTokens.isEmpty, let token = longTokens[ordinal] { return token }
        return DeviceToken(words: tokens[place])
    }

    func environment(of ordinal: DeviceOrdinal) -> APNSEnvironment { flags.environment(of: Int(ordinal)) }

    /// Returns when the device was last seen; the distant past for an unknown device, as the store may know it already.
    func lastSeen(_ ordinal: DeviceOrdinal) -> Date {
        guard contains(ordinal) else { return .distantPast }
        return Date(timeIntervalSince1970: TimeInterval(seen[Int(ordinal)]))
    }

    /// Returns whether the device has been seen in the last 255 days.
    func isActive(_ ordinal: DeviceOrdinal, at date: Date) -> Bool {
        seen[Int(ordinal)] >= DeviceActivity.oldestSign(onDay: DeviceActivity.day(of: date))
    }

    /// Returns the devices with this alias, in ascending order, including inactive ones.
    func devices(withAlias alias: String) -> [DeviceOrdinal] { aliases.devices(KeyedHash.hash(alias)) }

    // MARK: - Signs of life

    /// Updates ``DeviceFlags/active`` to the day of `date`. Only visits pieces that have or had inactive devices.
    mutating func renewActivity(at date: Date) {
        let day = DeviceActivity.day(of: date)
        guard day != activeDay else { return }
        let latest = max(DeviceActivity.oldestSign(onDay: day), DeviceActivity.oldestSign(onDay: activeDay))
        let oldest = DeviceActivity.oldestSign(onDay: day)
        activeDay = day
        for piece in seen.pieces(before: latest) {
            for place in seen.places(ofPiece: piece) {
                flags.active.set(place, seen[place] > 0 && seen[place] >= oldest)
            }
        }
    }
}

extension AudienceColumns {
    /// The aliases and tags of rows, by name: made before the columns are locked.
    struct Names: Sendable {
        fileprivate let aliases: [(ordinal: DeviceOrdinal, hash: UInt64)]
        fileprivate let devicesByTag: AudienceRows.DevicesByTag

        init(_ rows: AudienceRows) {
            aliases = rows.aliasHashes
            devicesByTag = rows.devicesByTag
        }
    }

    /// Makes what is made once for all devices at start.
    mutating func finishReading() { aliases.makeIndex() }

    /// Applies the store's state of many devices, unless a newer one is known. At start they are not found by alias before
    /// ``finishReading()``.
    mutating func apply(_ rows: AudienceRows, _ names: Names, isStart: Bool = false) {
        guard let last = rows.indices.last.map(rows.ordinal(ofRow:)) else { return }
        if last >= count { grow(to: Int(last) + 1) }
        guard rows.indices.allSatisfy({ isBlank(rows.ordinal(ofRow: $0)) }) else { return apply(rows[...]) }
        for row in rows.indices { set(rows.entry(row)) }
        if isStart { aliases.read(names.aliases) } else { aliases.add(names.aliases) }
        tagTable.add(rows, names.devicesByTag)
    }
}
