import PushClock

/// The elapsed time on any clock as a plain duration; it erases the clock's type.
struct ElapsedTime: Sendable {
    private let read: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    init(clock: some CivilClock) {
        let start = clock.now
        read = { start.duration(to: clock.now) }
        wait = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    var elapsed: Duration { read() }

    /// - Throws: `CancellationError`.
    func sleep(until moment: Duration) async throws { try await wait(moment) }
}
