import Foundation
import PushModel
import PushService
import Testing

extension PushStoreContract {
    private static func row(_ id: String?, _ token: UInt8, alias: String? = nil, tags: [String]? = nil) -> DeviceImport
    {
        var row = DeviceImport(
            registrationID: id.flatMap { RegistrationID($0) },
            token: DeviceToken(bytes: [token])
        )
        if let alias { row.alias = .set(alias) }
        row.tags = tags
        return row
    }

    @discardableResult
    private static func take(
        _ rows: [DeviceImport],
        own: DeviceOrdinal? = nil,
        into store: any PushStore,
        _ app: App,
        at date: Date = start
    ) async throws -> ImportResult {
        try await store.importDevices(
            rows.map { ($0, own) },
            of: app.id,
            environment: .production,
            installation: UUID().uuidString,
            seenAt: date
        )
    }

    /// An app registers as a device of its own and brings its token.
    private static func register(_ token: UInt8, in store: any PushStore, _ app: App) async throws -> RegisteredDevice {
        let device = try await device(UUID().uuidString, of: app, in: store)
        _ = try await store.setToken(DeviceToken(bytes: [token]), .production, of: device.id, at: start)
        return try #require(try await store.device(device.id))
    }

    private static func device(_ id: String, in store: any PushStore, _ app: App) async throws -> RegisteredDevice? {
        let id = try #require(RegistrationID(id))
        guard let found = try await store.importedID(id, of: app.id) else { return nil }
        return try await store.device(found.device)
    }

    static let imports = [
        Clause(
            "Devices of a file are kept whole under the ids that others gave them; the same file changes nothing"
        ) { open, store, app in
            var rows = [row("f0", 0, alias: "bob", tags: ["a", "b"]), row("f1", 1), row(nil, 2, alias: "eve")]
            rows[1].environment = .development
            let first = try await take(rows, into: store, app)
            #expect(first.outcomes == [.created, .created, .created])
            #expect(first.devices.map(\.id.ordinal) == [0, 1, 2])
            #expect(first.ids.map(\.id.text) == ["f0", "f1"])
            let again = try await take(rows, into: try open(), app)
            #expect(again.outcomes == [.unchanged, .unchanged, .unchanged])
            #expect(again.devices == [])
            let kept = try #require(try await device("f0", in: open(), app))
            #expect(kept == first.devices[0])
            #expect(kept.token == DeviceToken(bytes: [0]))
            #expect(kept.environment == .production)
            #expect(kept.alias == "bob")
            #expect(kept.tags == ["a", "b"])
            #expect(kept.lastSeen == start)
            #expect(kept.tokenRegisteredAt == Date(timeIntervalSince1970: 0))
            #expect(kept.isImported)
            #expect(try await device("f1", in: store, app)?.environment == .development)
            let all = Collected<ImportedID>()
            try await open().importedIDs { ids in
                for id in ids { all.add(id) }
            }
            #expect(Set(all.elements) == Set(first.ids))
            #expect(try await store.importedIDs(of: kept.id).map(\.id.text) == ["f0"])
        },
        Clause(
            "A row changes what it says of a known device, and nothing else; a file counts as seeing it"
        ) { _, store, app in
            try await take([row("f0", 0, alias: "bob", tags: ["a"])], into: store, app)
            #expect(try await take([row("f0", 9)], into: store, app).outcomes == [.updated])
            let moved = try #require(try await device("f0", in: store, app))
            #expect(moved.token == DeviceToken(bytes: [9]))
            #expect(moved.alias == "bob")
            #expect(moved.tags == ["a"])
            var cleared = row("f0", 9, tags: [])
            cleared.alias = .cleared
            #expect(try await take([cleared], into: store, app).outcomes == [.updated])
            #expect(try await device("f0", in: store, app)?.alias == nil)
            #expect(try await device("f0", in: store, app)?.tags == [])
            let later = start.addingTimeInterval(90_000)
            #expect(try await take([row(nil, 9)], into: store, app, at: later).outcomes == [.unchanged])
            #expect(try await device("f0", in: store, app)?.lastSeen == later)
        },
        Clause("Two ids with one token lead to one device, however often the file comes") { _, store, app in
            let rows = [row("f0", 0, alias: "old"), row("f1", 0, alias: "new")]
            #expect(try await take(rows, into: store, app).outcomes == [.created, .updated])
            #expect(try await take(rows, into: store, app).outcomes == [.updated, .updated])
            let device = try #require(try await device("f0", in: store, app))
            #expect(try await Self.device("f1", in: store, app)?.id == device.id)
            #expect(device.alias == "new")
            #expect(try await store.allDevices() == [device])
        },
        Clause(
            "An id whose token another device has goes there; who is left without an id is nobody"
        ) { _, store, app in
            try await take([row("f0", 0, alias: "bob", tags: ["a"]), row("f1", 1)], into: store, app)
            let left = try #require(try await device("f0", in: store, app))
            let result = try await take([row("f0", 1, alias: "eve")], into: store, app)
            #expect(result.outcomes == [.updated])
            let owner = try #require(try await device("f0", in: store, app))
            #expect(try await device("f1", in: store, app)?.id == owner.id)
            #expect(owner.alias == "eve")
            let retired = try #require(try await store.device(left.id))
            #expect(retired.isRetired)
            #expect(retired.token == nil && retired.alias == nil && retired.tags == [])
            #expect(Set(result.devices) == [owner, retired])
        },
        Clause(
            "Who registers with the token of an imported device takes over its ids, alias and tags"
        ) { open, store, app in
            try await take([row("f0", 0, alias: "bob", tags: ["a"])], into: store, app)
            let old = try #require(try await device("f0", in: store, app))
            let own = try await register(0, in: store, app)
            #expect(own.alias == "bob")
            #expect(own.tags == ["a"])
            #expect(!own.isImported)
            #expect(try await device("f0", in: open(), app) == own)
            #expect(try await store.importedIDs(of: own.id).map(\.isName) == [false])
            #expect(try await store.device(old.id)?.isRetired == true)
            // What the app has said since is newer than the file.
            let again = try await take([row("f0", 0, alias: "eve", tags: [])], into: store, app)
            #expect(again.outcomes == [.kept])
            #expect(again.devices == [])
            #expect(try await device("f0", in: store, app)?.alias == "bob")
            // Another device with the token may be the same phone, with the app installed anew, or somebody who has read the token
            // somewhere: the id stays with the device that has a secret, until the file says otherwise.
            let next = try await register(0, in: store, app)
            #expect(next.alias == nil, "What an app has set ends with its installation.")
            #expect(try await device("f0", in: open(), app)?.id == own.id)
            _ = try await take([row("f0", 0)], into: store, app)
            #expect(try await device("f0", in: open(), app)?.id == next.id)
        },
        Clause("A device that registered by itself stays as it is, and may have ids of others") { _, store, app in
            let own = try await register(7, in: store, app)
            #expect(try await take([row("f0", 7, alias: "bob")], into: store, app).outcomes == [.kept])
            #expect(try await device("f0", in: store, app) == own)
            let byID = try await take([row("0123", 8, alias: "bob")], own: own.id.ordinal, into: store, app)
            #expect(byID.outcomes == [.kept])
            #expect(try await store.device(own.id) == own)
        },
    ]
}
