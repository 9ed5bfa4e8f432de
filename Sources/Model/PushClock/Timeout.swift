/// Returns the result of `body`; nil if the time was over first, in which case it cancels `body`. The clock may delay the
/// timeout by `tolerance`.
///
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
