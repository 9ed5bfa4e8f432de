import Foundation
import GRDB
import PostgresClient
import PushClock
import PushModel
import PushService
import PushStorePostgres
import TestSupport
import Testing

@testable import PushStoreSQLite

@Suite("One damaged row costs its own, and nobody else", .suiteLimit)
struct DamagedRowTests {
    enum Engine: String, CaseIterable, CustomTestStringConvertible {
        case sqlite = "SQLite"
        case postgres = "PostgreSQL"

        var testDescription: String { rawValue }
    }

    /// A database, with a service on it as often as a test wants.
    private struct Database {
        let folder: URL
        let clock = VirtualClock()
        let open: (_ damaged: @escaping @Sendable (String) -> Void) throws -> any PushStore
        let execute: (_ sql: String) async throws -> Void

        func run(_ body: (TestService) async throws -> Void) async throws {
            let store = try open { _ in }
            try await TestService.run(in: folder, on: store, clock: clock, sender: ScriptedSender(), body)
        }
    }

    private static func with(_ engine: Engine, _ body: (Database) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            switch engine {
            case .sqlite:
                let path = folder.appending(path: "posthorn.sqlite").path
                let database = Database(
                    folder: folder,
                    open: { try SQLiteStore(path: path, damaged: $0) },
                    execute: { sql in
                        try await DatabaseQueue(path: path, configuration: .patient).write { try $0.execute(sql: sql) }
                    }
                )
                try await body(database)
            case .postgres:
                try await PostgresDatabase.with { pool in
                    let database = Database(
                        folder: folder,
                        open: { PostgresStore(pool, damaged: $0) },
                        execute: { sql in try await pool.run { try $0.executeScript(sql) } }
                    )
                    try await body(database)
                }
            }
        }
    }

    @Test("A schedule that cannot be read ends and says so, and the others fire", arguments: Engine.allCases)
    func schedule(_ engine: Engine) async throws {
        try await Self.with(engine) { database in
            try await database.run { service in
                try await service.addDevice()
                func create(_ name: String, at time: String) async throws -> UUID {
                    let trigger = "{\"single\":{\"time\":\"\(time)\"}}"
                    let body = "{\"name\":\"\(name)\",\"enabled\":true,\"trigger\":\(trigger),\"push\":\(pushBody())}"
                    return try await service.core.schedules.create(Array(body.utf8), for: service.app).id
                }
                // The virtual clock begins at 08:00 UTC, which is 16:00 in the zone of schedules.
                let bad = try await create("bad", at: "2026-01-01 16:10:00")
                let good = try await create("good", at: "2026-01-01 16:20:00")
                try await database.execute("UPDATE schedule SET trigger = '{' WHERE name = 'bad'")
                let page = try await service.core.schedules.page(1, of: service.app.id)
                #expect(page.schedules.map(\.scheduleID) == [good.uuidString.lowercased()])
                await service.clock.advance(by: .seconds(1300))
                try await service.waitForSent(1)
                // A push is sent before the outcome of its schedule is stored.
                for (name, schedule) in [("damaged", bad), ("good", good)] {
                    try await eventually("the \(name) schedule has ended") {
                        try await !service.store.firings(of: schedule).isEmpty
                    }
                }
                let firing = try #require(try await service.store.firings(of: bad).first)
                #expect(firing.messageID == nil)
                #expect(firing.error?.message == "The schedule is damaged and cannot be read; create it anew.")
                #expect(try await service.store.firings(of: good).count == 1)
                #expect(try await service.store.nextScheduleDue() == nil)
            }
        }
    }

    @Test(
        "A service starts with damaged devices, apps and ids of others, tells of each once, and serves the rest",
        arguments: Engine.allCases
    )
    func start(_ engine: Engine) async throws {
        try await Self.with(engine) { database in
            try await database.run { service in
                try await service.addDevices(3) { $0.tags = ["a"] }
                _ = try await service.addApp()
            }
            try await database.execute(
                """
                UPDATE device SET tags = '["a' WHERE ordinal = 1;
                UPDATE app SET key = 'x' WHERE id = 2;
                INSERT INTO importedID VALUES (1, '!', 0, true), (1, 'abc123', 2, true);
                """
            )
            let damaged = Recorder<String>()
            let store = try database.open { damaged.add($0) }
            let registry = try await Registry(store: store, keys: testKeys)
            let app = try #require(try await store.apps().first)
            let now = database.clock.date
            let all = registry.resolve(.all, of: app.id, environment: .production, at: now)
            #expect(all.reachable == [0, 1, 2], "A device without its tags is as good as any.")
            var filter = Audience.Filter()
            filter.tags = ["a"]
            let tagged = registry.resolve(.filter(filter), of: app.id, environment: .production, at: now)
            #expect(tagged.reachable == [0, 2])
            let told = Set(damaged.elements.map { $0.components(separatedBy: ":")[0] })
            #expect(told == ["device 1 of app 1", "app 2", "an imported id of app 1, device 0"])
            if engine == .sqlite {
                _ = try await store.apps()
                #expect(damaged.elements.count == 3)
            }
            #expect(damaged.elements.allSatisfy { $0.contains("which no version of Posthorn writes") })
            // What the damaged device is asked for works, and mends it.
            let changed = try await store.updateDevice(DeviceID(app: app.id, ordinal: 1)) { $0.tags = ["b"] }
            #expect(changed?.tags == ["b"])
        }
    }

    @Test(
        "Pushes with cids are taken beside a batch whose names cannot be read, and receipts of others are kept",
        arguments: Engine.allCases
    )
    func batch(_ engine: Engine) async throws {
        try await Self.with(engine) { database in
            try await database.run { service in
                let devices = try await service.addDevices(2)
                func entry(_ device: RegisteredDevice) -> String {
                    let cid = "\(service.app.key)-\(UUID().uuidString)"
                    let target = service.registrationID(device).text
                    let says = "\"notification\":{\"alert\":\"a\"}"
                    return "\"\(cid)\":{\"platform\":\"all\",\"target\":\"\(target)\",\(says)}"
                }
                let body = "{\"pushlist\":{\(devices.map(entry).joined(separator: ","))}}"
                let batch = try PushBatch(parsing: Array(body.utf8), to: .registrationID)
                _ = try await service.core.acceptor.accept(batch, for: service.app)
                try await service.waitForSent(2)
                let octets = engine == .sqlite ? "x'ff'" : #"'\xff'"#
                try await database.execute("UPDATE batch SET names = \(octets)")
            }
            // The cids are read anew.
            try await database.run { service in
                let cid = "\(service.app.key)-\(UUID().uuidString)"
                let push = try await service.push(pushBody(cid: cid))
                #expect(try await service.push(pushBody(cid: cid)).messageID == push.messageID)
                try await service.waitForSent(2)
                let damaged = try #require(try await service.store.agingMessages(after: MessageID(0), limit: 1).first)
                let device = DeviceID(app: service.app.id, ordinal: 0)
                let receipts: [MessageID: ReceiptBits] = [damaged.id: .received, push.messageID: .received]
                try await service.store.record(receipts, inApp: [:], of: device, at: service.clock.date)
                #expect(try await service.store.journey(of: push.messageID, to: 0)?.receipts == .received)
                // Nor do the reports of others wait for it.
                let event = JourneyEvent(date: service.clock.date, station: .device, kind: .delivered)
                try await service.store.record([
                    JourneyEntry(message: damaged.id, ordinal: 0, event: event),
                    JourneyEntry(message: push.messageID, ordinal: 0, event: event),
                ])
                #expect(try await service.store.journey(of: push.messageID, to: 0)?.events == [event])
            }
        }
    }
}
