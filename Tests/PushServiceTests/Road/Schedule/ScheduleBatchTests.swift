import Foundation
import GRDB
import Logging
import PushClock
import PushModel
import Synchronization
import TestSupport
import Testing

@testable import PushService
@testable import PushStoreSQLite

/// Many schedules of several apps that are due at the same time.
@Suite("Schedules that are due together", .suiteLimit)
struct ScheduleBatchTests {
    private static let due = Date(timeIntervalSince1970: 1_767_254_400 + 1800)

    private func schedule(_ number: Int, of app: App, push: String) throws -> ScheduleRecord {
        let body = """
            {"name":"s\(number)","enabled":true,"trigger":{"single":{"time":"2026-01-01 16:30:00"}},"push":\(push)}
            """
        guard let object = try JSONValue(parsing: body).object else { throw JPushError.badSchedule(body) }
        return ScheduleRecord(
            id: UUID(),
            app: app.id,
            schedule: try Schedule(object),
            createdAt: Self.due.addingTimeInterval(-1800),
            dueAt: Self.due
        )
    }

    /// Gives a service to `body` of which nothing runs but what `body` starts.
    private func withCore(
        in folder: URL,
        clock: VirtualClock,
        _ body: (ServiceCore, SQLiteStore) async throws -> Void
    ) async throws {
        let store = try SQLiteStore(path: folder.appending(path: "posthorn.sqlite").path)
        for name in ["a", "b", "c"] {
            _ = try await TestService.createApp("com.example.\(name)", in: store, at: clock.date)
        }
        try await body(ServiceCore(.scripted(store, ScriptedSender(), clock)), store)
    }

    /// Runs the schedules until none is due.
    private func fire(_ core: ServiceCore, _ store: SQLiteStore, _ clock: VirtualClock) async throws {
        let moved = MovedOn(store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await core.scheduleRunner.run() }
            try await moved.wait()
            group.cancelAll()
        }
    }

    @Test("Six hundred of three apps go to disk in a few transactions, each once, in the order of their creation")
    func together() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            try await withCore(in: folder, clock: clock) { core, store in
                let apps = try await store.apps()
                for app in apps { core.registry.apply([device(of: app, at: clock.date)]) }
                var records: [ScheduleRecord] = []
                for number in 0..<600 {
                    // One of a hundred has nobody to go to.
                    let audience = number % 100 == 7 ? "{\"tag\":[\"none\"]}" : "\"all\""
                    records.append(
                        try schedule(number, of: apps[number % 3], push: pushBody(audience: audience))
                    )
                }
                for record in records { _ = try await store.createSchedule(record, cid: nil, limit: 1000) }
                await clock.advance(to: Self.due)
                let trace = try StatementTrace(of: store)
                try await fire(core, store, clock)
                // What a transaction of its own for each would take: 1200.
                #expect(trace.count("BEGIN IMMEDIATE") <= 8, "\(trace.count("BEGIN IMMEDIATE")) transactions")
                #expect(trace.count("FROM schedule WHERE dueAt <=") <= 4)
                var messages: [MessageID] = []
                for (number, record) in records.enumerated() {
                    let firings = try await store.firings(of: record.id)
                    #expect(firings.count == 1)
                    #expect(firings.first?.dueAt == Self.due)
                    #expect((firings.first?.error?.code == 1011) == (number % 100 == 7))
                    if firings.first?.error == nil, let message = firings.first?.messageID { messages.append(message) }
                }
                #expect(messages.count == 594)
                #expect(Set(messages).count == 594)
                #expect(try await store.dueSchedule(at: Self.due) == nil)
                let kept = try await store.agingMessages(after: MessageID(0), limit: 1000)
                #expect(Set(kept.map(\.id)) == Set(messages))
            }
        }
    }

    @Test("A service that ended between the pushes and the notes of a batch sends none of them again")
    func endBetween() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            try await withCore(in: folder, clock: clock) { core, store in
                let apps = try await store.apps()
                for app in apps { core.registry.apply([device(of: app, at: clock.date)]) }
                let records = try (0..<30).map { try schedule($0, of: apps[$0 % 3], push: pushBody()) }
                for record in records { _ = try await store.createSchedule(record, cid: nil, limit: 1000) }
                await clock.advance(to: Self.due)
                try await fire(core, store, clock)
                let first = try await store.agingMessages(after: MessageID(0), limit: 100).map(\.id)
                #expect(first.count == 30)
                // As it was before the notes: the pushes are on disk, the schedules are due.
                try await store.writes.write { database in
                    try database.execute(sql: "DELETE FROM scheduleFiring")
                    try database.execute(
                        sql: "UPDATE schedule SET dueAt = ?, endedAt = NULL",
                        arguments: [Self.due.milliseconds]
                    )
                }
                await clock.advance(by: .seconds(60))
                try await fire(core, store, clock)
                #expect(try await store.agingMessages(after: MessageID(0), limit: 100).map(\.id) == first)
                var noted: Set<MessageID> = []
                for record in records {
                    noted.formUnion(try await store.firings(of: record.id).compactMap(\.messageID))
                }
                #expect(noted == Set(first))
            }
        }
    }

    @Test("Paced pushes of one app beyond the limit are refused, also when they are due together")
    func paced() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            try await withCore(in: folder, clock: clock) { core, store in
                let app = try #require(try await store.apps().first)
                core.registry.apply([device(of: app, at: clock.date)])
                let body = pushBody(options: "\"big_push_duration\":10")
                let records = try (0..<JPushLimits.pacedPushes + 2).map { try schedule($0, of: app, push: body) }
                for record in records { _ = try await store.createSchedule(record, cid: nil, limit: 1000) }
                await clock.advance(to: Self.due)
                try await fire(core, store, clock)
                var refused = 0
                for record in records where try await store.firings(of: record.id).first?.error != nil { refused += 1 }
                #expect(refused == 2)
                #expect(try await store.pacedMessages(of: app.id) == JPushLimits.pacedPushes)
            }
        }
    }

    private func device(of app: App, at now: Date) -> RegisteredDevice {
        RegisteredDevice(
            id: DeviceID(app: app.id, ordinal: 0),
            installation: "i",
            secretHash: SecretHash(bytes: []),
            token: testToken(0, app.id),
            environment: .production,
            tokenRegisteredAt: now,
            lastSeen: now,
            version: 1
        )
    }
}

/// Waits for the last due schedule to move on.
private final class MovedOn: TransactionObserver, Sendable {
    private let commits = Recorder<Int>()
    private let store: SQLiteStore

    init(_ store: SQLiteStore) {
        self.store = store
        store.database.add(transactionObserver: self, extent: .observerLifetime)
    }

    /// Returns when no schedule has a firing to come.
    func wait() async throws {
        while !Task.isCancelled {
            let seen = commits.elements.count
            guard try await store.nextScheduleDue() != nil else { return }
            try await commits.wait(for: seen + 1)
        }
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { eventKind.tableName == "schedule" }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ database: Database) { commits.add(1) }
    func databaseDidRollback(_ database: Database) {}
}
