import Synchronization

/// Calls back those whose time has run out. Sleeps only while there is something to watch.
final class Watchdog: Sendable {
    private struct Watched {
        var moment: Duration
        var bark: @Sendable () -> Void
    }

    private struct State {
        var nextID = 0
        var watched: [Int: Watched] = [:]
        var patrol: Task<Void, Never>?
        /// When the patrol wakes next.
        var wakes: Duration?
        var patrolNumber = 0
    }

    private let stopwatch: Stopwatch
    private let state = Mutex(State())

    init(stopwatch: Stopwatch) { self.stopwatch = stopwatch }

    /// * `bark`: called once `moment` has come, unless ``forget(_:)`` was called before.
    func watch(until moment: Duration, bark: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextID += 1
            state.watched[state.nextID] = Watched(moment: moment, bark: bark)
            if state.wakes.map({ moment < $0 }) ?? true { startPatrol(&state, until: moment) }
            return state.nextID
        }
    }

    func forget(_ id: Int) {
        let idle = state.withLock { state -> Task<Void, Never>? in
            state.watched[id] = nil
            guard state.watched.isEmpty else { return nil }
            state.wakes = nil
            defer { state.patrol = nil }
            return state.patrol
        }
        idle?.cancel()
    }

    private func startPatrol(_ state: inout State, until moment: Duration) {
        state.patrol?.cancel()
        state.wakes = moment
        state.patrolNumber += 1
        let number = state.patrolNumber
        // Unstructured: it belongs to no single push. It ends by itself, at the latest when the last push is answered.
        state.patrol = Task { await self.patrol(number, until: moment) }
    }

    private func patrol(_ number: Int, until moment: Duration) async {
        do { try await stopwatch.sleep(until: moment) } catch { return }
        let now = stopwatch.elapsed
        let due = state.withLock { state -> [@Sendable () -> Void] in
            guard state.patrolNumber == number else { return [] }
            let due = state.watched.filter { $0.value.moment <= now }
            for id in due.keys { state.watched[id] = nil }
            state.patrol = nil
            state.wakes = nil
            if let next = state.watched.values.map(\.moment).min() { startPatrol(&state, until: next) }
            return due.sorted { $0.key < $1.key }.map(\.value.bark)
        }
        for bark in due { bark() }
    }
}
