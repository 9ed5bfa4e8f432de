import Foundation
import GRDB
import PushModel
import TestSupport
import Testing

@testable import PushService
@testable import PushStoreSQLite

private let tagsInUse = [
    "a", "b", "c", "中文", "\\", "\"", "", "d,e", "[]", "much longer than a word is in a register",
]
private let aliasesInUse =
    (0..<40).map { "alias\($0)" } + ["", "中\"'", "an alias that is longer than fifteen octets"]

/// Devices as odd as the store takes them, over several blocks of ordinals with gaps between.
private func oddDevices(
    _ count: Int,
    of app: App.ID,
    at now: Date,
    using generator: inout SplitMix
) -> [RegisteredDevice] {
    let ordinals = Set((0..<count).map { _ in DeviceOrdinal.random(in: 0..<300_000, using: &generator) })
    return ordinals.sorted().map { ordinal in
        var device = RegisteredDevice(
            id: DeviceID(app: app, ordinal: ordinal),
            installation: "\(ordinal)",
            secretHash: SecretHash(bytes: []),
            environment: ordinal % 7 == 0 ? .development : .production,
            tokenRegisteredAt: now,
            badge: Int.random(in: 0...3, using: &generator),
            lastSeen: ordinal % 11 == 0 ? now.addingTimeInterval(-300 * 86_400) : now,
            version: 1
        )
        device.change(using: &generator)
        return device
    }
}

extension RegisteredDevice {
    fileprivate mutating func change(using generator: inout SplitMix) {
        token =
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: nil
            case 1: DeviceToken(bytes: [1, 2, UInt8(truncatingIfNeeded: id.ordinal)])
            default: testToken(id.ordinal, id.app)
            }
        alias = Bool.random(using: &generator) ? aliasesInUse.randomElement(using: &generator) : nil
        tags = tagsInUse.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
        zone = ["Asia/Shanghai", "Europe/Berlin", nil, nil].randomElement(using: &generator) ?? nil
    }
}

@Suite("Reading all devices at start", .suiteLimit)
struct AudienceLoadTests {
    private func save(_ devices: [RegisteredDevice], in store: SQLiteStore) async throws {
        try await store.writes.write { database in
            for device in devices { try device.save(to: database, store.tokens) }
        }
    }

    private func withStore(_ body: (SQLiteStore, [App], Date) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteStore(path: folder.appending(path: "store.sqlite").path)
            let now = Date(timeIntervalSince1970: 1_800_000_000)
            var apps: [App] = []
            for name in ["com.example.a", "com.example.b", "com.example.c"] {
                apps.append(try await TestService.createApp(name, in: store, at: now).app)
            }
            try await body(store, apps, now)
        }
    }

    @Test("Parts of any size hold each device once: apps of different sizes, gaps, and none of those that are removed")
    func parts() async throws {
        try await withStore { store, apps, now in
            var generator = SplitMix(seed: 1)
            // The second app has no device, the third has one.
            var devices = oddDevices(400, of: apps[0].id, at: now, using: &generator)
            devices += oddDevices(1, of: apps[2].id, at: now, using: &generator)
            try await save(devices, in: store)
            try await store.writes.write { database in
                try database.execute(
                    sql: "DELETE FROM device WHERE ordinal % 3 = 1 OR ordinal BETWEEN 70000 AND 140000"
                )
            }
            let expected = devices.filter { device in
                device.id.ordinal % 3 != 1 && !(70_000...140_000).contains(device.id.ordinal)
            }.map(\.audienceEntry)
            for size in [1000, 65_536, 1_000_000] as [DeviceOrdinal] {
                let entries = Recorder<AudienceEntry>()
                try await store.audience(atOnce: size) { rows in for entry in rows { entries.add(entry) } }
                #expect(entries.elements.count == expected.count)
                #expect(Set(entries.elements) == Set(expected), "\(size)")
            }
        }
    }

    @Test("A store without devices, and one without apps, is read as well")
    func empty() async throws {
        try await withStore { store, apps, now in
            let registry = try await Registry(store: store, keys: testKeys)
            #expect(registry.resolve(.all, of: apps[0].id, environment: .production, at: now).isEmpty)
        }
        try await withTemporaryFolder { folder in
            let store = try SQLiteStore(path: folder.appending(path: "store.sqlite").path)
            let registry = try await Registry(store: store, keys: testKeys)
            #expect(registry.resolve(.all, of: 1, environment: .production, at: Date()).isEmpty)
        }
    }

    @Test(
        "Tags that no version of Posthorn writes cost their device its tags, and are told with what was found",
        arguments: ["", "[\"a\"", "[\"a]", "a", "[\"\\\"]"]
    )
    func corrupt(_ text: String) async throws {
        try await withStore { store, apps, now in
            var generator = SplitMix(seed: 2)
            try await save(oddDevices(3, of: apps[0].id, at: now, using: &generator), in: store)
            try await store.writes.write { database in
                try database.execute(
                    sql: "UPDATE device SET tags = ? WHERE ordinal = (SELECT max(ordinal) FROM device)",
                    arguments: [text]
                )
            }
            let damaged = Recorder<String>()
            let other = try SQLiteStore(path: store.database.path, damaged: { damaged.add($0) })
            let registry = try await Registry(store: other, keys: testKeys)
            let sentence = """
                The database holds '\(text)' in device.tags, which no version of Posthorn writes. Restore a backup.
                """
            #expect(damaged.elements.count == 1)
            #expect(damaged.elements.first?.hasSuffix(": \(sentence)") == true)
            let last = try await store.database.read { database in
                try DeviceOrdinal.fetchOne(database, sql: "SELECT max(ordinal) FROM device")
            }
            let device = DeviceID(app: apps[0].id, ordinal: try #require(last))
            #expect(registry.device(registry.registrationID(of: device), of: apps[0].id) == device)
            try other.close()
        }
    }

    @Test(
        "A registry that read its devices answers as one that was told of each, also after they change",
        arguments: 1...rounds(1, release: 3)
    )
    func sameAnswers(_ seed: UInt64) async throws {
        try await withStore { store, apps, now in
            var generator = SplitMix(seed: seed)
            let told = try await Registry(store: store, keys: testKeys)
            var devices = apps.flatMap { oddDevices(300, of: $0.id, at: now, using: &generator) }
            try await save(devices, in: store)
            let read = try await Registry(store: store, keys: testKeys)
            told.apply(devices.shuffled(using: &generator))
            for round in 0..<3 {
                for app in apps {
                    let isSame = same(told, read, app.id, at: now, using: &generator)
                    #expect(isSame, "seed \(seed), round \(round), app \(app.id)")
                }
                for place in devices.indices where Bool.random(using: &generator) {
                    devices[place].change(using: &generator)
                    devices[place].version += 1
                }
                told.apply(devices)
                read.apply(devices)
            }
        }
    }

    private func same(
        _ one: Registry,
        _ other: Registry,
        _ app: App.ID,
        at now: Date,
        using generator: inout SplitMix
    ) -> Bool {
        guard one.tags(of: app) == other.tags(of: app) else { return false }
        for alias in aliasesInUse
        where one.devices(withAlias: alias, of: app) != other.devices(withAlias: alias, of: app) {
            return false
        }
        for _ in 0..<30 {
            var filter = Audience.Filter()
            filter.tags = tagsInUse.filter { _ in Int.random(in: 0..<6, using: &generator) == 0 }
            filter.tagsAnd = tagsInUse.filter { _ in Int.random(in: 0..<9, using: &generator) == 0 }
            filter.tagsNot = tagsInUse.filter { _ in Int.random(in: 0..<9, using: &generator) == 0 }
            let found = one.resolve(.filter(filter), of: app, environment: .production, at: now)
            let again = other.resolve(.filter(filter), of: app, environment: .production, at: now)
            guard found == again else { return false }
            let ordinals = found.reachable[...]
            let targets = one.targets(ordinals, of: app, environment: .production)
            guard Array(targets) == Array(other.targets(ordinals, of: app, environment: .production)) else {
                return false
            }
        }
        return true
    }

    @Test("A store finds the holders of each token in the rows that it has, whatever its length")
    func holders() async throws {
        try await withStore { store, apps, now in
            var generator = SplitMix(seed: 3)
            let devices = apps.flatMap { oddDevices(300, of: $0.id, at: now, using: &generator) }
            // Without the index: nobody has told it of these.
            try await store.writes.write { database in
                for device in devices { try device.save(to: database, TokenIndex()) }
            }
            let held = Dictionary(grouping: devices.filter { $0.token != nil }) { [$0.id.app: $0.token] }
            #expect(held.count < devices.count)
            let wrong = try await store.writes.write { database in
                try held.values.filter { holders in
                    guard let first = holders.first, let token = first.token else { return true }
                    return try store.tokens.holders(of: token, app: first.id.app, in: database)
                        != holders.map(\.id.ordinal).sorted()
                }
            }
            #expect(wrong == [])
        }
    }

    @Test("Reading never takes back newer state", arguments: 1...rounds(1, release: 3))
    func newerStays(_ seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let devices = oddDevices(300, of: 1, at: now, using: &generator)
        var rows = AudienceRows(app: 1)
        for device in devices {
            rows.add(device)
            // Twice the same is once.
            for tag in device.tags { rows.addTag(tag.utf8.span) }
        }
        #expect(Array(rows) == devices.map(\.audienceEntry))
        var columns = AudienceColumns()
        var expected = AudienceColumns()
        for var device in devices where Bool.random(using: &generator) {
            device.change(using: &generator)
            device.version += 1
            columns.apply(device.audienceEntry)
            expected.apply(device.audienceEntry)
        }
        columns.apply(rows, AudienceColumns.Names(rows))
        for device in devices { expected.apply(device.audienceEntry) }
        for device in devices {
            let ordinal = device.id.ordinal
            #expect(columns.token(of: ordinal) == expected.token(of: ordinal))
            #expect(columns.zones[Int(ordinal)] == expected.zones[Int(ordinal)])
            for tag in tagsInUse {
                #expect(columns.tagTable.has(ordinal, tag: tag) == expected.tagTable.has(ordinal, tag: tag))
            }
        }
        for alias in aliasesInUse { #expect(columns.devices(withAlias: alias) == expected.devices(withAlias: alias)) }
        #expect(Set(columns.tagTable.names.all) == Set(expected.tagTable.names.all))
    }
}
