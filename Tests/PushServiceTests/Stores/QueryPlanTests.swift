import Foundation
import GRDB
import PushClock
import PushModel
import PushStoreConformance
import TestSupport
import Testing

@testable import PushService
@testable import PushStoreSQLite

/// Tables that grow with devices, pushes and schedules: nothing looks through one of them as a whole.
private let largeTables = [
    "app", "device", "message", "batch", "chunk", "cid", "schedule", "scheduleCID", "scheduleFiring", "customMessage",
    "chunkReport", "journeyEvent", "importedID", "tag", "deviceUse", "deviceUseCount", "deletedMessage", "groupPush",
    "groupPushMessage", "audienceFile", "channelToken", "messageCursor", "callback", "callbackEvent",
    "callbackReceiver", "planMessage", "appEvent", "eventStream", "topicDecline", "topicUse",
]

@Suite("How the store finds rows", .suiteLimit)
struct QueryPlanTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// The steps of plans that look through a large table.
    private func scans(_ statements: [String], in store: SQLiteStore) async throws -> [String] {
        try await store.database.writeWithoutTransaction { database in
            var found: [String] = []
            for statement in Set(statements)
            where ["SELECT", "UPDATE", "DELETE", "INSERT"].contains(where: statement.hasPrefix) {
                for row in try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(statement)") {
                    let step: String = row["detail"]
                    let words = step.split(separator: " ")
                    guard words.count > 1, words[0] == "SCAN", largeTables.contains(String(words[1])) else { continue }
                    found.append("\(step): \(statement)")
                }
            }
            return found
        }
    }

    private func withStore(_ body: (SQLiteStore, App, StatementTrace) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteStore(path: folder.appending(path: "store.sqlite").path)
            let app = try await TestService.createApp("com.example.a", in: store, at: Self.now).app
            try await body(store, app, try StatementTrace(of: store))
        }
    }

    @Test("Retention goes by index, step by step")
    func retention() async throws {
        try await withStore { store, app, trace in
            let old = Self.now
            let times = [ReportUnit.hour: "2026-01-01 00", .day: "2026-01-01", .month: "2026-01"]
            _ = try await store.agingMessages(after: MessageID(0), acceptedBefore: old, limit: 500)
            _ = try await store.markDeleted([MessageID(7)], of: app.id, Deletion(days: 1), at: old)
            _ = try await store.deleteMessage(MessageID(7), rows: 2000)
            _ = try await store.deleteCustomMessages(expiredBefore: old, limit: 2000)
            _ = try await store.events(of: app.id, after: 0, limit: 10)
            _ = try await store.deleteEvents(before: old, limit: 2000)
            _ = try await store.deleteGroupPushes(acceptedBefore: old, filesEndedBefore: old, limit: 500)
            _ = try await store.deleteCIDs(
                after: CIDPlace(app: 0, cid: ""),
                usedBefore: old,
                ofSchedulesBefore: old,
                limit: 2000
            )
            _ = try await store.deleteSchedules(endedBefore: old, cidsUsedBefore: old, limit: 500)
            _ = try await store.deleteDevices([1, 2], of: app.id, unseenSince: old, Deletion(days: 1))
            _ = try await store.closeUses(before: times, limit: 2000)
            _ = try await store.deleteUses(before: times, limit: 2000)
            try await store.deleteApp(app.id, at: old)
            #expect(try await store.hasOrphans())
            while try await store.deleteOrphans(limit: 500) {}
            _ = try await store.forgetDeletions(before: old, limit: 500)
            #expect(trace.count("DELETE FROM") > 20)
            // The apps are few, and an index of them is what is looked through.
            let allowed = "SCAN app"
            let scans = try await scans(trace.statements, in: store).filter { !$0.hasPrefix(allowed) }
            #expect(scans == [])
        }
    }

    @Test("A start reads devices, tags and ids in steps by their keys")
    func start() async throws {
        try await withStore { store, app, trace in
            _ = try await store.updateDevices([], of: app.id, keepingTags: ["a", "b"]) { _ in }
            _ = try await Registry(store: store, keys: testKeys)
            #expect(trace.count("FROM tag") > 0)
            #expect(trace.count("FROM importedID") > 0)
            let allowed = ["SCAN app"]
            let scans = try await scans(trace.statements, in: store).filter { scan in
                !allowed.contains(where: scan.hasPrefix)
            }
            #expect(scans == [])
        }
    }

    @Test("Callback events are counted, taken, ended and given up by index, and due receivers by app and time")
    func callbacks() async throws {
        try await withStore { store, app, trace in
            let pushes = (1...2).map { number -> PreparedPush in
                let message = PushStoreContract.message(Int64(number), of: app.id, at: Self.now)
                let chunk = PushStoreContract.chunk(message, 0, [5], kind: .withoutToken, at: Self.now)
                var push = PreparedPush(message: message, chunks: [chunk], isPaced: false)
                push.callback = PushCallback(url: "https://example.com/", params: [:], kinds: .all)
                return push
            }
            _ = try await store.accept(pushes, cidsSince: Self.now)
            _ = try await store.countCallbacks(at: Self.now, limit: 1, rows: 10)
            let limits = CallbackLimits(receivers: 4, ofApp: 4, rows: 10, events: 10)
            let lot = try #require(try await store.takeCallbacks(at: Self.now, limits, until: Self.now + 9).first)
            _ = try await store.nextCallbackDue(besides: [])
            _ = try await store.waitingCallbacks()
            var outcome = CallbackOutcome()
            outcome.failed = lot.batches.map { .init($0, "It is down.", retry: Self.now) }
            _ = try await store.endCallbacks(lot, outcome, at: Self.now, limit: 3)
            _ = try await store.giveUpCallbacks(of: lot.receiver, limit: 1, rows: 10)
            outcome.failed = []
            outcome.delivered = lot.batches
            _ = try await store.endCallbacks(lot, outcome, at: Self.now, limit: 3)
            _ = try await store.callbackState(of: MessageID(1))
            while try await !store.deleteMessage(MessageID(1), rows: 10) {}
            #expect(trace.count("callbackReceiver") > 5)
            // The index has only what is not counted yet.
            let allowed = "SCAN callbackEvent USING INDEX callbackEventNew"
            let scans = try await scans(trace.statements, in: store).filter { !$0.hasPrefix(allowed) }
            #expect(scans == [])
        }
    }

    @Test("Schedules that are due, pages of devices, receipts and logins are found by index")
    func daily() async throws {
        try await withStore { store, app, trace in
            let device = DeviceID(app: app.id, ordinal: 5)
            _ = try await store.dueSchedules(at: Self.now, limit: 500)
            _ = try await store.nextScheduleDue()
            _ = try await store.results(ofFirings: [("schedule x", app.id)])
            _ = try await store.schedules(of: app.id, offset: 0, limit: 10)
            _ = try await store.devices(of: app.id, from: 3, limit: 100)
            let message = PushStoreContract.message(9, of: app.id, at: Self.now)
            let chunks = (0..<3).map { number in
                let ordinals = [DeviceOrdinal(number * 10), DeviceOrdinal(number * 10 + 5)]
                return PushStoreContract.chunk(message, number, ordinals, kind: .message, at: Self.now)
            }
            _ = try await store.accept(
                [PreparedPush(message: message, chunks: chunks, isPaced: false)],
                cidsSince: .distantPast
            )
            try await store.record([MessageID(9): .received], inApp: [:], of: device, at: Self.now)
            var said = Acknowledgements()
            said.deliveries = [MessageID(9): [5, 15]]
            try await store.record(said, at: Self.now)
            let waiting = try await store.waitingMessages(
                of: device,
                acknowledgedThrough: 0,
                keptThrough: 1,
                limit: 5,
                at: Self.now
            )
            #expect(waiting.messages.isEmpty)
            let held = try await store.heldMessages(of: device, after: 0, limit: 5, at: Self.now)
            #expect(held.messages.map(\.message) == [MessageID(9)])
            _ = try await store.receipts(of: MessageID(9), app: app.id, to: [5, 6, 25])
            #expect(trace.count("chunkReport") > 0)
            let scans = try await scans(trace.statements, in: store)
            #expect(scans == [])
            // Those for the device alone and those for several are merged as they are read, newest first, and not sorted.
            let plans = try await store.database.read { database in
                try trace.statements.filter { $0.contains("FROM customMessage") && $0.contains("ORDER BY position") }
                    .flatMap { try Self.plan($0, database) }
            }
            #expect(plans.contains { $0.contains("customMessageOfDevice") })
            #expect(plans.contains { $0.contains("customMessageOfMany") })
            #expect(!plans.contains { $0.contains("TEMP B-TREE") })
        }
    }

    private static func plan(_ statement: String, _ database: Database) throws -> [String] {
        try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(statement)").map { $0["detail"] as String }
    }

    @Test("A report of one device reads its chunk and none of the 400 others, wherever the device stands")
    func receipts() async throws {
        try await withStore { store, app, trace in
            let message = PushStoreContract.message(9, of: app.id, at: Self.now)
            func chunk(_ number: Int, _ kind: Chunk.Kind, _ ordinals: [DeviceOrdinal]) -> Chunk {
                PushStoreContract.chunk(message, number, ordinals, kind: kind, at: Self.now)
            }
            // Ten devices a chunk with gaps between; then the same for the custom message.
            var chunks: [Chunk] = []
            for kind in [Chunk.Kind.send, .message] {
                for number in 0..<200 {
                    let first = DeviceOrdinal(number * 30)
                    chunks.append(chunk(chunks.count, kind, Array(stride(from: first, to: first + 20, by: 2))))
                }
            }
            _ = try await store.accept(
                [PreparedPush(message: message, chunks: chunks, isPaced: false)],
                cidsSince: .distantPast
            )
            // A piece that was cut off later, whose devices stand in a chunk of the message already.
            let piece = chunk(400, .send, [3000, 3004])
            try await store.writes.write { database in
                var rows = try PushRows(in: database)
                try rows.insert(piece, isPaced: false, lane: message.lane)
            }
            let asked: [DeviceOrdinal] = [0, 18, 30, 3000, 3002, 3004, 5970, 5988]
            for ordinal in asked {
                trace.clear()
                let device = DeviceID(app: app.id, ordinal: ordinal)
                try await store.record([message.id: .received], inApp: [:], of: device, at: Self.now)
                #expect(trace.count("ordinals, firstOrdinal") <= 2, "\(trace.statements)")
            }
            for ordinal in [1, 20, 3001, 5989, 9000] as [DeviceOrdinal] {
                let device = DeviceID(app: app.id, ordinal: ordinal)
                try await store.record([message.id: .received], inApp: [:], of: device, at: Self.now)
            }
            let counts = try await store.counts(of: [message.id], app: app.id)
            #expect(counts[message.id]?.received == asked.count)
            let numbers = try await store.database.read { database in
                try Int.fetchAll(database, sql: "SELECT number FROM chunkReport ORDER BY number")
            }
            #expect(numbers == [0, 1, 100, 199])
            let delivered = try await store.receipts(of: message.id, app: app.id, to: asked + [1, 2])
            #expect(delivered.filter { $0.value == .received }.keys.sorted() == asked)
            #expect(delivered[2] == [])
            #expect(delivered[1] == nil)
        }
    }

    @Test("A login reads nothing of messages for others alone, however many there are")
    func logins() async throws {
        try await withStore { store, app, trace in
            func accept(_ id: Int64, to ordinals: [DeviceOrdinal]) async throws {
                let message = PushStoreContract.message(id, of: app.id, at: Self.now)
                let chunk = PushStoreContract.chunk(message, 0, ordinals, kind: .message, at: Self.now)
                _ = try await store.accept(
                    [PreparedPush(message: message, chunks: [chunk], isPaced: false)],
                    cidsSince: .distantPast
                )
            }
            try await accept(1, to: [5])
            try await accept(2, to: [5, 6])
            for id in 3..<200 as Range<Int64> { try await accept(id, to: [7]) }
            trace.clear()
            let waiting = try await store.waitingMessages(
                of: DeviceID(app: app.id, ordinal: 5),
                acknowledgedThrough: 0,
                keptThrough: nil,
                limit: 5,
                at: Self.now
            )
            #expect(waiting.messages.map(\.message) == [MessageID(1), MessageID(2)])
            #expect(trace.statements.count < 15, "\(trace.statements)")
        }
    }

    @Test("A page of devices is one read by key, wherever it begins; retired ones take no place in it")
    func devicePages() async throws {
        try await withStore { store, app, trace in
            var devices: [RegisteredDevice] = []
            for ordinal in 0..<3000 as Range<DeviceOrdinal> {
                var device = RegisteredDevice(
                    id: DeviceID(app: app.id, ordinal: ordinal),
                    installation: "\(ordinal)",
                    secretHash: SecretHash(bytes: []),
                    token: testToken(ordinal, app.id),
                    environment: .production,
                    tokenRegisteredAt: Self.now,
                    alias: ordinal < 3 ? "bob" : nil,
                    tags: ordinal % 7 == 0 ? ["t"] : [],
                    lastSeen: Self.now,
                    version: 1
                )
                if (2050..<2300).contains(ordinal) { device.retire() }
                devices.append(device)
            }
            let saved = devices
            try await store.writes.write { database in
                for device in saved { try device.save(to: database, store.tokens) }
            }
            let registry = try await Registry(store: store, keys: testKeys)
            let book = DeviceController(store: store, registry: registry, clock: VirtualClock())
            func page(_ after: DeviceOrdinal, tag: String? = nil, alias: String? = nil) async throws -> [DeviceOrdinal]
            {
                let id = registry.registrationID(of: DeviceID(app: app.id, ordinal: after)).text
                trace.clear()
                let page = try await book.list(of: app.id, tag: tag, alias: alias, after: id, limit: 100)
                return page.map(\.id.ordinal)
            }
            #expect(try await page(1000) == Array(1001...1100))
            #expect(trace.count("FROM device") == 1)
            #expect(try await page(2000) == Array(2001..<2050) + Array(2300..<2351))
            #expect(trace.count("FROM device") <= 4)
            #expect(try await page(2950) == Array(2951..<3000))
            let tagged = (0..<3000 as Range<DeviceOrdinal>).filter { $0 % 7 == 0 && !(2050..<2300).contains($0) }
            #expect(try await page(1500, tag: "t") == Array(tagged.filter { $0 > 1500 }.prefix(100)))
            #expect(trace.count("FROM device") == 100)
            #expect(try await page(0, alias: "bob") == [1, 2])
            #expect(try await page(0, tag: "t", alias: "bob") == [])
        }
    }

    @Test("Asking for apps that do not exist reads none; one that was just created is found at once")
    func unknownKeys() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "store.sqlite").path
            let store = try SQLiteStore(path: path)
            let registry = try await Registry(store: store, keys: testKeys)
            let trace = try StatementTrace(of: store)
            for number in 0..<50 {
                let key = try #require(AppKey(String(repeating: "a", count: 22) + "\(10 + number)"))
                #expect(try await registry.app(key) == nil)
            }
            #expect(trace.count("FROM app WHERE") == 0)
            let app = try await TestService.createApp("com.example.app", in: store, at: Self.now).app
            #expect(try await registry.app(app.key) == app)
            #expect(trace.count("FROM app WHERE") == 1)
            #expect(registry.app(app.id) == app)
        }
    }
}
