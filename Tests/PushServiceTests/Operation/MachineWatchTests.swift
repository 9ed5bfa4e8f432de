import Foundation
import Metrics
import MetricsTestKit
import PushClock
import PushStoreSQLite
import Synchronization
import TestSupport
import Testing

@testable import PushService

/// A machine whose disk has as much space as a test says, and whose database is a real one.
private final class SmallMachine: MachineInspector {
    let storeInspector: (any StoreInspector)?
    private let space: Mutex<Int64?>

    init(_ storeInspector: (any StoreInspector)?, freeBytes: Int64?) {
        self.storeInspector = storeInspector
        space = Mutex(freeBytes)
    }

    var freeBytes: Int64? {
        get { space.withLock(\.self) }
        set { space.withLock { $0 = newValue } }
    }

    func facts() -> MachineFacts { MachineFacts(freeBytes: freeBytes, readable: []) }
    func proxies() async -> [ProxyFacts] { [] }
}

@Suite("The size of the database and the free space, measured every minute", .suiteLimit)
struct MachineWatchTests {
    private let metrics = TestMetrics()
    private let clock = VirtualClock()

    private func watch(_ machine: SmallMachine) -> MachineWatch {
        withMetricsFactory(metrics) { MachineWatch(machine: machine, metrics: MachineMetrics(), clock: clock) }
    }

    @Test("At the start, and again a minute later")
    func everyMinute() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "s.sqlite").path
            let store = try SQLiteStore(path: path)
            let machine = SmallMachine(store.inspector, freeBytes: 5_000_000_000)
            let watch = watch(machine)
            try await withThrowingTaskGroup { group in
                group.addTask { try await watch.run() }
                _ = try await clock.nextDeadline { _ in true }
                let size = try metrics.expectGauge("push.store.bytes")
                let free = try metrics.expectGauge("push.disk.free.bytes")
                let first = try #require(size.lastValue)
                #expect(first > 4096)
                #expect(free.values == [5_000_000_000])
                try await store.setValue([UInt8](repeating: 1, count: 1_000_000), for: "a")
                machine.freeBytes = 4_000_000_000
                await clock.advance(by: .seconds(59))
                #expect(size.values == [first])
                await clock.advance(by: .seconds(1))
                _ = try await clock.nextDeadline { $0 > clock.now }
                #expect(try #require(size.lastValue) >= first + 1_000_000)
                #expect(free.values == [5_000_000_000, 4_000_000_000])
                group.cancelAll()
            }
            try store.close()
        }
    }

    @Test("What cannot be measured keeps its last value")
    func unknown() async throws {
        let machine = SmallMachine(nil, freeBytes: 7)
        let watch = watch(machine)
        await watch.measure()
        machine.freeBytes = nil
        await watch.measure()
        #expect(try metrics.expectGauge("push.disk.free.bytes").values == [7])
        #expect(try metrics.expectGauge("push.store.bytes").values == [])
    }

    @Test("The size is that of the file with its write-ahead log; nil if the file is gone")
    func size() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "s.sqlite").path
            let store = try SQLiteStore(path: path)
            try await store.setValue([UInt8](repeating: 1, count: 100_000), for: "a")
            let sizes = try [path, path + "-wal"].map { try Data(contentsOf: URL(filePath: $0)).count }
            #expect(sizes.allSatisfy { $0 > 0 })
            #expect(store.inspector.bytes() == Int64(sizes[0] + sizes[1]))
            try store.close()
            let file = try Data(contentsOf: URL(filePath: path)).count
            #expect(file > 100_000)
            #expect(store.inspector.bytes() == Int64(file), "Closing has moved the log into the file.")
            try FileManager.default.removeItem(atPath: path)
            #expect(store.inspector.bytes() == nil)
        }
    }
}
