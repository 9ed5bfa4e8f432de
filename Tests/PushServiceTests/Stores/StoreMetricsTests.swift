import Foundation
import GRDB
import Metrics
import MetricsTestKit
import TestSupport
import Testing

@testable import PushStoreSQLite

@Suite("Metrics of the store", .suiteLimit)
struct StoreMetricsTests {
    private struct Refused: Error {}

    @Test("Transactions with their writes, rows and times, those that fail, and what waits")
    func transactions() async throws {
        let metrics = TestMetrics()
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "s.sqlite").path
            let store = try withMetricsFactory(metrics) { try SQLiteStore(path: path) }
            for key in ["a", "b", "c"] { try await store.setValue([1], for: key) }
            await #expect(throws: Refused.self) {
                try await store.writes.write { database in
                    try database.execute(sql: "UPDATE setting SET value = x'02'")
                    throw Refused()
                }
            }
            try await store.writes.write { try $0.execute(sql: "DELETE FROM setting WHERE key IN ('a', 'b')") }
            try store.close()
        }
        func transactions(_ result: String) throws -> Int64 {
            try metrics.expectCounter("push.store.transactions", [("push.result", result)]).totalValue
        }
        // A write that fails is tried again, with a savepoint, in a transaction that then has nothing else.
        #expect(try transactions("failed") == 1)
        #expect(try transactions("committed") == 5)
        let durations = try metrics.expectTimer("push.store.transaction.duration").values
        #expect(durations.count == 5)
        #expect(durations.allSatisfy { $0 > 0 })
        #expect(try metrics.expectRecorder("push.store.transaction.writes").values == [1, 1, 1, 1, 1])
        let rows = try metrics.expectRecorder("push.store.transaction.rows").values
        #expect(rows.prefix(3) == [1, 1, 1])
        #expect(rows.last == 2)
        let waiting = try metrics.expectGauge("push.store.waiting")
        #expect(waiting.values.first == 1)
        #expect(waiting.lastValue == 0)
        #expect(try metrics.expectTimer("push.store.checkpoint.duration").values.isEmpty)
    }

    @Test("A write after closing fails instead of reading counters of a connection that is gone")
    func closed() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "s.sqlite").path
            let store = try withMetricsFactory(TestMetrics()) { try SQLiteStore(path: path) }
            try store.close()
            await #expect(throws: DatabaseError.self) { try await store.setValue([1], for: "a") }
        }
    }

    @Test("Checkpoints happen when SQLite's own would, and are timed", arguments: [true, false])
    func checkpoints(isOn: Bool) async throws {
        let metrics = TestMetrics()
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "s.sqlite").path
            func open() throws -> SQLiteStore {
                try SQLiteStore(path: path, limits: GroupCommit.Limits(), logPages: 20)
            }
            let store = try isOn ? withMetricsFactory(metrics) { try open() } : open()
            for number in 0..<50 {
                try await store.setValue([UInt8](repeating: UInt8(number), count: 40_000), for: "\(number)")
            }
            let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
            #expect(try #require(log) < 1_000_000, "Two megabytes were written.")
            try store.close()
        }
        guard isOn else { return }
        let durations = try metrics.expectTimer("push.store.checkpoint.duration").values
        #expect((10...50).contains(durations.count), "\(durations.count)")
        #expect(durations.allSatisfy { $0 > 0 })
    }
}
