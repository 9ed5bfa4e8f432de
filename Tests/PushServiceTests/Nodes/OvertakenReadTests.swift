import Foundation
import PushModel
import PushStoreSQLite
import Synchronization
import TestSupport
import Testing

@testable import PushService

/// A store between whose reads of apps and segments, and their answers, other things happen.
private final class SlowStore: AppStore, AudienceStore {
    private let base: SQLiteStore
    /// Run once each, after the next read.
    private let afterApps = Mutex<(@Sendable () async throws -> Void)?>(nil)
    private let afterSegments = Mutex<(@Sendable () async throws -> Void)?>(nil)

    init(_ base: SQLiteStore) { self.base = base }

    func afterNextApps(_ body: @escaping @Sendable () async throws -> Void) { afterApps.withLock { $0 = body } }

    func afterNextSegments(_ body: @escaping @Sendable () async throws -> Void) { afterSegments.withLock { $0 = body } }

    func apps() async throws -> [App] {
        let apps = try await base.apps()
        try await afterApps.withLock { $0.take() }?()
        return apps
    }

    func segments() async throws -> [(app: App.ID, segment: Segment)] {
        let segments = try await base.segments()
        try await afterSegments.withLock { $0.take() }?()
        return segments
    }

    var appsVersion: Int { base.appsVersion }
    func audienceSize() async throws -> Int { try await base.audienceSize() }
    func createApp(_ draft: App) async throws -> App { try await base.createApp(draft) }
    func contents(of id: App.ID) async throws -> AppContents { try await base.contents(of: id) }

    func deleteApp(_ id: App.ID, at date: Date) async throws -> Bool { try await base.deleteApp(id, at: date) }

    func setEnvironment(_ environment: APNSEnvironment, of app: App.ID) async throws {
        try await base.setEnvironment(environment, of: app)
    }

    func setStrict(_ isStrict: Bool, of app: App.ID) async throws { try await base.setStrict(isStrict, of: app) }

    func setQuietHours(_ hours: QuietHours?, of app: App.ID) async throws {
        try await base.setQuietHours(hours, of: app)
    }

    func setAliases(_ rules: AliasRules, of app: App.ID) async throws { try await base.setAliases(rules, of: app) }

    func takeAliasKey(of app: App.ID, formerUntil date: Date?) async throws -> Int64? {
        try await base.takeAliasKey(of: app, formerUntil: date)
    }

    func setSegment(_ segment: Segment, of app: App.ID) async throws { try await base.setSegment(segment, of: app) }

    func deleteSegment(_ name: String, of app: App.ID) async throws -> Bool {
        try await base.deleteSegment(name, of: app)
    }

    func audience(_ each: @escaping @Sendable (AudienceRows) -> Void) async throws { try await base.audience(each) }

    func storedTags(_ each: @escaping @Sendable (App.ID, [String]) -> Void) async throws {
        try await base.storedTags(each)
    }

    func importedIDs(_ each: @escaping @Sendable ([ImportedID]) -> Void) async throws {
        try await base.importedIDs(each)
    }

    func attributes(of app: App.ID, from first: DeviceOrdinal, limit: Int) async throws -> [StoredAttributes] {
        try await base.attributes(of: app, from: first, limit: limit)
    }
}

/// Nodes read the store while others write to it, so an answer may be older than what memory has learned since.
@Suite("Reads of the store whose answers are overtaken", .timeLimit(.minutes(2)))
struct OvertakenReadTests {
    private func withRegistry(_ body: (SlowStore, Registry, App) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let base = try SQLiteStore(path: folder.appending(path: "store.sqlite").path)
            let now = Date(timeIntervalSince1970: 1_800_000_000)
            let app = try await TestService.createApp("com.example.a", in: base, at: now).app
            let store = SlowStore(base)
            try await body(store, try await Registry(store: store, keys: testKeys), app)
        }
    }

    private func segment(_ name: String) throws -> Segment {
        try Segment(name: name, rule: JSONValue(parsing: "{\"zone\":[\"Europe/Berlin\"]}"))
    }

    @Test("Segments that are set and deleted at this node while they are read for another node's change stay so")
    func segments() async throws {
        let old = try segment("old")
        let new = try segment("new")
        // The segments in memory when they have been read once more.
        let again = Recorder<[String]>()
        try await withRegistry { store, registry, app in
            try await store.setSegment(old, of: app.id)
            registry.setSegment(old, named: "old", of: app.id)
            store.afterNextSegments {
                try await store.setSegment(new, of: app.id)
                registry.setSegment(new, named: "new", of: app.id)
                #expect(try await store.deleteSegment("old", of: app.id))
                registry.setSegment(nil, named: "old", of: app.id)
                store.afterNextSegments { again.add(registry.segments(of: app.id).map(\.name)) }
            }
            try await registry.reloadApps()
            // Nothing is undone meanwhile, either.
            #expect(again.elements == [["new"]])
            #expect(registry.segments(of: app.id).map(\.name) == ["new"])
        }
    }

    @Test("Segments are not replaced by those that were read before")
    func earlierSegments() async throws {
        let new = try segment("new")
        try await withRegistry { store, registry, app in
            // The app has devices in memory, and so its segments are set.
            _ = registry.devices(of: app.id)
            store.afterNextSegments {
                // The change is another node's.
                try await store.setSegment(new, of: app.id)
                try await registry.reloadApps()
            }
            try await registry.reloadApps()
            #expect(registry.segments(of: app.id).map(\.name) == ["new"])
        }
    }

    @Test("A setting that is changed at this node while apps are read for another node's change stays")
    func apps() async throws {
        try await withRegistry { store, registry, app in
            store.afterNextApps {
                try await store.setStrict(true, of: app.id)
                var changed = app
                changed.isStrict = true
                registry.apply(changed)
            }
            try await registry.reloadApps()
            #expect(registry.knownApp(app.key)?.isStrict == true)
        }
    }

    @Test("A setting changed here leaves one that another node has changed since the request began")
    func settings() async throws {
        try await TestService.run { service in
            let app = service.app
            let registry = service.core.registry
            var changed = app
            changed.isStrict = true
            registry.apply(changed)
            let settings = AppSettings(store: service.core.store, registry: registry)
            let body = #"{"quiet_hours":{"from":"22:00","to":"07:00"}}"#
            let answer = try await settings.change(Array(body.utf8), of: app)
            for found in [answer, try #require(registry.knownApp(app.key))] {
                #expect(found.isStrict && found.quietHours != nil)
            }
        }
    }

    @Test("Apps are not replaced by those that were read before")
    func earlierApps() async throws {
        try await withRegistry { store, registry, app in
            store.afterNextApps {
                // The change is another node's.
                try await store.setStrict(true, of: app.id)
                try await registry.reloadApps()
            }
            try await registry.reloadApps()
            #expect(registry.knownApp(app.key)?.isStrict == true)
        }
    }

    @Test(
        "A device whose deletion is heard of before its registration does not come back",
        arguments: NodeStores.Kind.allCases
    )
    func deletedDevice(kind: NodeStores.Kind) async throws {
        try await TestNodes.run(on: kind, isRunning: false) { nodes in
            let first = nodes.first
            let second = nodes.second
            let feed = try #require(second.core.node).feed
            let device = try await first.addDevice()
            nodes.network.afterNextPage {
                // The page has the device. A push that finds nobody reads the next one and applies it first.
                try await first.core.registrations.unregister(device.id)
                try await feed.catchUp()
            }
            try await feed.catchUp()
            #expect(second.core.registry.device(first.registrationID(device), of: second.app.id) == nil)
            #expect(try await second.refusal(pushBody()).code == 1011)
        }
    }
}
