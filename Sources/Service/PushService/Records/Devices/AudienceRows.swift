package import Foundation
package import PushModel

/// The in-memory data of many devices of one app, by ordinal, as a store reads it at start.
///
/// Stored as columns of octets, so that a device costs no allocation; access to one device creates an ``AudienceEntry``.
package struct AudienceRows: Sendable {
    struct Row: Sendable {
        /// The token; zero if there is none, or one of another length than 32 bytes.
        var token = DeviceToken.Words.zero
        var lastSeen: Date
        var ordinal: DeviceOrdinal
        var version: UInt32
        var badge: Int32
        /// The ends of its alias and tags, which begin at the ends of the previous row.
        var aliasEnd: UInt32
        var tagsEnd: UInt32
        var hasToken = false
        var hasAlias = false
        var isProduction: Bool
        var isStopped: Bool
        var isRefused = false
        var isAliasProved = false
        var registeredAt: Date?
    }

    package let app: App.ID
    private var rows: [Row] = []
    /// Tokens of another length than 32 bytes, by row.
    private var longTokens: [Int: DeviceToken] = [:]
    private var aliasOctets: [UInt8] = []
    private var tags: [UInt32] = []
    private var names = TagNames()
    private var zones = NamesOfRows()
    private var appVersions = NamesOfRows()
    private var systems = NamesOfRows()
    private var languages = NamesOfRows()

    package init(app: App.ID) { self.app = app }

    // MARK: - Writing

    /// Appends a device without token, alias and tags, which follow.
    package mutating func add(
        _ ordinal: DeviceOrdinal,
        version: UInt32,
        environment: APNSEnvironment,
        badge: Int,
        lastSeen: Date,
        isStopped: Bool = false
    ) {
        rows.append(
            Row(
                lastSeen: lastSeen,
                ordinal: ordinal,
                version: version,
                badge: Int32(badge),
                aliasEnd: UInt32(aliasOctets.count),
                tagsEnd: UInt32(tags.count),
                isProduction: environment == .production,
                isStopped: isStopped
            )
        )
    }

    /// Sets the token of the last device.
    package mutating func setToken(_ token: DeviceToken) {
        let row = rows.count - 1
        rows[row].hasToken = true
        if let words = token.words { rows[row].token = words } else { longTokens[row] = token }
    }

    /// Marks the token of the last device as refused by APNs.
    package mutating func setRefused() { rows[rows.count - 1].isRefused = true }

    /// Sets the alias of the last device, in UTF-8.
    package mutating func setAlias(_ octets: Span<UInt8>) {
        let row = rows.count - 1
        aliasOctets.append(addingCapacity: octets.count) { aliases in
            for index in octets.indices { aliases.append(octets[index]) }
        }
        rows[row].hasAlias = true
        rows[row].aliasEnd = UInt32(aliasOctets.count)
    }

    /// Notes that the backend has vouched for the alias of the last device.
    package mutating func setAliasProved() { rows[rows.count - 1].isAliasProved = true }

    /// Adds a tag to the last device, in UTF-8; duplicates are ignored.
    package mutating func addTag(_ octets: Span<UInt8>) {
        let row = rows.count - 1
        let number = names.number(of: octets)
        guard !tags(ofRow: row).contains(number) else { return }
        tags.append(number)
        rows[row].tagsEnd = UInt32(tags.count)
    }

    /// Sets the time zone of the last device, an IANA name.
    package mutating func setZone(_ name: String) { zones.set(name, ofRow: rows.count - 1) }

    /// Sets the app's version on the last device.
    package mutating func setAppVersion(_ name: String) { appVersions.set(name, ofRow: rows.count - 1) }

    /// Sets the system of the last device, with its version.
    package mutating func setSystem(_ name: String) { systems.set(name, ofRow: rows.count - 1) }

    /// Sets the language of the last device, a BCP 47 tag.
    package mutating func setLanguage(_ name: String) { languages.set(name, ofRow: rows.count - 1) }

    /// Sets when the last device registered.
    package mutating func setRegistered(_ date: Date) { rows[rows.count - 1].registeredAt = date }

    /// Removes all rows but keeps the capacity.
    package mutating func removeAll() {
        rows.removeAll(keepingCapacity: true)
        longTokens.removeAll()
        aliasOctets.removeAll(keepingCapacity: true)
        tags.removeAll(keepingCapacity: true)
        zones.removeAll()
        appVersions.removeAll()
        systems.removeAll()
        languages.removeAll()
        // Tags usually recur, unless each device has its own.
        if names.count > 4096 { names = TagNames() }
    }
}

extension AudienceRows {
    /// Appends a device with everything but its attributes.
    mutating func add(_ device: RegisteredDevice) {
        add(
            device.id.ordinal,
            version: device.version,
            environment: device.environment,
            badge: device.badge,
            lastSeen: device.lastSeen,
            isStopped: device.isStopped
        )
        if device.tokenRefusal != nil { setRefused() } else if let token = device.token { setToken(token) }
        if let alias = device.alias { setAlias(alias.utf8.span) }
        if device.isAliasProved { setAliasProved() }
        for tag in device.tags { addTag(tag.utf8.span) }
        if let zone = device.zone { setZone(zone) }
        if let version = device.appVersion { setAppVersion(version) }
        if !device.system.isEmpty { setSystem(device.system) }
        if let language = device.language { setLanguage(language) }
        if let date = device.registeredAt { setRegistered(date) }
    }
}

extension AudienceRows: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { rows.count }

    package subscript(row: Int) -> AudienceEntry {
        var device = entry(row)
        device.alias = rows[row].hasAlias ? alias(ofRow: row) : nil
        device.tags = tags(ofRow: row).map { names[$0] }
        return device
    }
}

extension AudienceRows {
    func ordinal(ofRow row: Int) -> DeviceOrdinal { rows[row].ordinal }

    /// Returns the device of a row, without alias and tags.
    func entry(_ row: Int) -> AudienceEntry {
        let device = rows[row]
        var entry = AudienceEntry(
            id: DeviceID(app: app, ordinal: device.ordinal),
            version: device.version,
            token: device.hasToken ? longTokens[row] ?? DeviceToken(words: device.token) : nil,
            environment: device.isProduction ? .production : .development,
            alias: nil,
            tags: [],
            badge: Int(device.badge),
            lastSeen: device.lastSeen,
            isStopped: device.isStopped,
            isRefused: device.isRefused,
            zone: zones[row],
            appVersion: appVersions[row]
        )
        entry.isAliasProved = device.isAliasProved
        entry.system = systems[row]
        entry.language = languages[row]
        entry.registeredAt = device.registeredAt
        return entry
    }

    /// The hashes of the aliases, computed without creating strings.
    var aliasHashes: [(ordinal: DeviceOrdinal, hash: UInt64)] {
        let octets = aliasOctets.span
        return indices.filter { rows[$0].hasAlias }.map { row in
            (rows[row].ordinal, KeyedHash.hash(octets.extracting(aliasRange(ofRow: row))))
        }
    }

    private func aliasRange(ofRow row: Int) -> Range<Int> {
        (row == 0 ? 0 : Int(rows[row - 1].aliasEnd))..<Int(rows[row].aliasEnd)
    }

    private func alias(ofRow row: Int) -> String {
        String(decoding: aliasOctets[aliasRange(ofRow: row)], as: UTF8.self)
    }

    /// Returns the tags of a row as numbers of ``names``.
    func tags(ofRow row: Int) -> ArraySlice<UInt32> {
        tags[(row == 0 ? 0 : Int(rows[row - 1].tagsEnd))..<Int(rows[row].tagsEnd)]
    }

    /// The devices by tag.
    var devicesByTag: DevicesByTag {
        // A counting sort: first the number of devices per tag, then each device in its place.
        var ends = [Int](repeating: 0, count: names.count)
        for tag in tags { ends[Int(tag)] += 1 }
        var end = 0
        for tag in ends.indices { (ends[tag], end) = (end, end + ends[tag]) }
        var ordinals = [DeviceOrdinal](repeating: 0, count: tags.count)
        for row in indices {
            for tag in tags(ofRow: row) {
                ordinals[ends[Int(tag)]] = rows[row].ordinal
                ends[Int(tag)] += 1
            }
        }
        return DevicesByTag(names: names, ordinals: ordinals, ends: ends)
    }

    /// The devices of each tag of ``AudienceRows``, in ascending order.
    struct DevicesByTag: Sendable {
        fileprivate let names: TagNames
        fileprivate let ordinals: [DeviceOrdinal]
        /// The ends of each tag's devices, by the tag's number.
        fileprivate let ends: [Int]

        /// The count of the tags' numbers.
        var count: Int { ends.count }

        /// Calls `body` for each tag with its number, its name and its devices.
        func forEachTag(_ body: (UInt32, String, ArraySlice<DeviceOrdinal>) -> Void) {
            var start = 0
            for (tag, end) in ends.enumerated() where end > start {
                body(UInt32(tag), names[UInt32(tag)], ordinals[start..<end])
                start = end
            }
        }
    }
}

/// A name of each row that recurs in many, such as that of a time zone.
private struct NamesOfRows: Sendable {
    /// The names as numbers of ``names``, 0 for none; the array ends with the last row that has a name.
    private var numbers: [UInt16] = []
    private var names = NumberedNames()

    mutating func set(_ name: String, ofRow row: Int) {
        numbers.append(contentsOf: repeatElement(0, count: row + 1 - numbers.count))
        numbers[row] = names.number(of: name)
    }

    subscript(row: Int) -> String? { row < numbers.count ? names[numbers[row]] : nil }

    /// Removes the rows but keeps the names and the capacity.
    mutating func removeAll() { numbers.removeAll(keepingCapacity: true) }
}
