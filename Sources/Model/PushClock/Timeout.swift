/// Runs `body`, and cancels it when the time is over.
///
/// - Parameters:
///   - limit: the time that `body` has.
///   - tolerance: the delay of the timeout that the clock may add; nil for its own choice.
///   - clock: the clock of the limit; the machine's by default.
///   - body: the work.
/// - Returns: the result of `body`; nil if the time was over first.
/// - Throws: the error of `body`, and `CancellationError` if the calling task is cancelled before `body` ends.
package func withTimeout<Value: Sendable>(
    _ limit: Duration,
    tolerance: Duration? = nil,
    clock: some Clock<Duration> = ContinuousClock(),
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await clock.sleep(for: limit, tolerance: tolerance)
            return nil
        }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
    }
}
