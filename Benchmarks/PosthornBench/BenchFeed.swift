import Foundation
import PushModel
import PushService
import PushStorePostgres
import PushStoreSQL
import Synchronization

/// The time from the beginning of each change of a device until another node has it.
final class BenchLag: Sendable {
    private struct State {
        /// The beginning of the last change, by ordinal.
        var starts: [ContinuousClock.Instant]
        var milliseconds: [Double] = []
        var expected: Int?
    }

    private let state: Mutex<State>

    init(devices: Int) { state = Mutex(State(starts: Array(repeating: .now, count: devices))) }

    func began(_ ordinals: [DeviceOrdinal]) {
        state.withLock { state in
            for ordinal in ordinals { state.starts[Int(ordinal)] = .now }
        }
    }

    func seen(_ ordinal: DeviceOrdinal) {
        state.withLock { state in
            state.milliseconds.append(state.starts[Int(ordinal)].duration(to: .now) / .milliseconds(1))
        }
    }

    /// Sets the number of changes that the other node will see.
    func expect(_ count: Int) { state.withLock { $0.expected = count } }

    var isComplete: Bool {
        state.withLock { state in state.expected.map { state.milliseconds.count >= $0 } ?? false }
    }

    /// The times in milliseconds, ascending.
    var sorted: [Double] { state.withLock { $0.milliseconds.sorted() } }
}

/// Changes devices at a steady rate, in transactions of one fiftieth of a second each.
struct BenchFeedWriter {
    let store: PostgresStore
    let bell: PostgresBell
    let app: App.ID
    let lag: BenchLag
    /// Changes per second.
    let rate: Int

    private static let steps = 50

    /// - Returns: the number of changes.
    func run(for time: Duration) async throws -> Int {
        let ordinals = try await store.devices(of: app, from: 0, limit: .max).map(\.id.ordinal)
        let clock = ContinuousClock()
        let size = min(rate / Self.steps, ordinals.count)
        let start = clock.now
        let count = Int(time / .seconds(1)) * Self.steps
        for step in 0..<count {
            try await clock.sleep(until: start + .seconds(1) * step / Self.steps, tolerance: .zero)
            let changed = (0..<size).map { ordinals[(step * size + $0) % ordinals.count] }
            lag.began(changed)
            _ = try await store.updateDevices(changed, of: app, keepingTags: []) { $0.badge += 1 }
            try await bell.ring(.feed)
        }
        return count * size
    }
}

/// Reads the logs of other nodes whenever the bell rings, as a node does.
struct BenchFeedReader {
    let store: PostgresStore
    let bell: PostgresBell
    let lag: BenchLag

    /// Reads until everything was seen.
    func run(after start: FeedPositions) async throws {
        var positions = start
        while !lag.isComplete {
            _ = await bell.wait()
            var hasMore = true
            while hasMore {
                let page = try await store.changes(after: positions, for: NodeID(rawValue: 2), limit: 2000)
                for entry in page.entries {
                    if case .device(let device) = entry.change { lag.seen(device.id.ordinal) }
                }
                positions.merge(page.through) { _, new in new }
                hasMore = page.hasMore
            }
        }
    }
}
