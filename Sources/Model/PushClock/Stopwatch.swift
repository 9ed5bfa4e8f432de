extension CivilClock {
    /// Returns a function that returns the time since this call, independent of changes to the date.
    package func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
