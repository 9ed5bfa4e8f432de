import Foundation
import GRDB
import PushClock
import PushModel
import PushService
import Synchronization
import TestSupport
import Testing

@testable import PushStoreSQLite

@Suite("One damaged row costs its own, and nobody else", .timeLimit(.minutes(5)))
struct DamagedRowTests {
    /// A store that says which rows it passed over.
    private static func store(_ folder: URL, _ damaged: Recorder<String>) throws -> SQLiteStore {
        try SQLiteStore(path: folder.appending(path: "posthorn.sqlite").path, damaged: { damaged.add($0) })
    }

    private static func execute(_ sql: String, in store: any PushStore) async throws {
        let store = try #require(store as? SQLiteStore)
        try await store.database.write { try $0.execute(sql: sql) }
    }

    @Test("A schedule that cannot be read ends and says so, and the others fire")
    func schedule() async throws {
        try await TestService.run { service in
            try await service.addDevice()
            func create(_ name: String, at time: String) async throws -> UUID {
                let trigger = "{\"single\":{\"time\":\"\(time)\"}}"
                let body = "{\"name\":\"\(name)\",\"enabled\":true,\"trigger\":\(trigger),\"push\":\(pushBody())}"
                return try await service.core.schedules.create(Array(body.utf8), for: service.app).id
            }
            // The virtual clock begins at 08:00 UTC, which is 16:00 in the zone of schedules.
            let bad = try await create("bad", at: "2026-01-01 16:10:00")
            let good = try await create("good", at: "2026-01-01 16:20:00")
            try await Self.execute("UPDATE schedule SET trigger = '{' WHERE name = 'bad'", in: service.store)
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

    @Test("A service starts with damaged devices, apps and ids of others, tells of each once, and serves the rest")
    func start() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            try await TestService.run(in: folder, clock: clock, sender: ScriptedSender()) { service in
                try await service.addDevices(3) { $0.tags = ["a"] }
                _ = try await service.addApp()
                try await Self.execute(
                    """
                    UPDATE device SET tags = '["a' WHERE ordinal = 1;
                    UPDATE app SET key = 'x' WHERE id = 2;
                    INSERT INTO importedID VALUES (1, '!', 0, 1), (1, 'abc123', 2, 1);
                    """,
                    in: service.store
                )
            }
            let damaged = Recorder<String>()
            let store = try Self.store(folder, damaged)
            let registry = try await Registry(store: store, keys: testKeys)
            let app = try #require(try await store.apps().first)
            let all = registry.resolve(.all, of: app.id, environment: .production, at: clock.date)
            #expect(all.reachable == [0, 1, 2], "A device without its tags is as good as any.")
            var filter = Audience.Filter()
            filter.tags = ["a"]
            let tagged = registry.resolve(.filter(filter), of: app.id, environment: .production, at: clock.date)
            #expect(tagged.reachable == [0, 2])
            _ = try await store.apps()
            let told = Set(damaged.elements.map { $0.components(separatedBy: ":")[0] })
            #expect(told == ["device 1 of app 1", "app 2", "an imported id of app 1, device 0"])
            #expect(damaged.elements.count == 3)
            // What the damaged device is asked for works, and mends it.
            let device = DeviceID(app: app.id, ordinal: 1)
            let changed = try await store.updateDevice(device) { $0.tags = ["b"] }
            #expect(changed?.tags == ["b"])
            try store.close()
        }
    }

    @Test("Pushes with cids are taken beside a batch whose names cannot be read, and receipts of others are kept")
    func batch() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            try await TestService.run(in: folder, clock: clock, sender: ScriptedSender()) { service in
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
                try await Self.execute("UPDATE batch SET names = x'ff'", in: service.store)
            }
            // The cids are read anew.
            try await TestService.run(in: folder, clock: clock, sender: ScriptedSender()) { service in
                let cid = "\(service.app.key)-\(UUID().uuidString)"
                let push = try await service.push(pushBody(cid: cid))
                #expect(try await service.push(pushBody(cid: cid)).messageID == push.messageID)
                try await service.waitForSent(2)
                let damaged = try #require(try await service.store.agingMessages(after: MessageID(0), limit: 1).first)
                let device = DeviceID(app: service.app.id, ordinal: 0)
                try await service.store.record(
                    [damaged.id: .received, push.messageID: .received],
                    inApp: [:],
                    of: device,
                    at: clock.date
                )
                let journey = try await service.store.journey(of: push.messageID, to: 0)
                #expect(journey?.receipts == .received)
                // Nor do the reports of others wait for it.
                let event = JourneyEvent(date: clock.date, station: .device, kind: .delivered)
                try await service.store.record([
                    JourneyEntry(message: damaged.id, ordinal: 0, event: event),
                    JourneyEntry(message: push.messageID, ordinal: 0, event: event),
                ])
                #expect(try await service.store.journey(of: push.messageID, to: 0)?.events == [event])
            }
        }
    }
}
