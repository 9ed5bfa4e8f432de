/// Waits until the task is cancelled, and then throws `CancellationError`.
package func untilCancelled() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
    throw CancellationError()
}
