import Synchronization

/// Calls back when a batch has made no progress for a time.
final class BatchWatch: Sendable {
    private struct State {
        var watch: Int?
        var seen = 0
        var isStopped = false
    }

    private let watchdog: Watchdog
    private let stopwatch: Stopwatch
    private let timeout: Duration
    private let progress: @Sendable () -> Int
    private let bark: @Sendable () -> Void
    private let state = Mutex(State())

    init(
        watchdog: Watchdog,
        stopwatch: Stopwatch,
        timeout: Duration,
        progress: @escaping @Sendable () -> Int,
        bark: @escaping @Sendable () -> Void
    ) {
        self.watchdog = watchdog
        self.stopwatch = stopwatch
        self.timeout = timeout
        self.progress = progress
        self.bark = bark
        look()
    }

    func stop() {
        let watch = state.withLock { state in
            state.isStopped = true
            return state.watch
        }
        if let watch { watchdog.forget(watch) }
    }

    private func look() {
        let watch = watchdog.watch(until: stopwatch.elapsed + timeout) { self.check() }
        let isStopped = state.withLock { state in
            state.watch = watch
            return state.isStopped
        }
        if isStopped { watchdog.forget(watch) }
    }

    private func check() {
        let now = progress()
        let hasMoved = state.withLock { state in
            defer { state.seen = now }
            return state.isStopped || now > state.seen
        }
        if hasMoved { look() } else { bark() }
    }
}
