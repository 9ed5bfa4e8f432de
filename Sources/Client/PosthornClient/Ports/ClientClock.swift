/// Measures the waits of a client.
public protocol ClientClock: Sendable {
    /// Calls `ring` once after so many milliseconds, on any thread.
    ///
    /// - Returns: a closure that cancels the timer.
    func timer(after milliseconds: Int, _ ring: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}
