extension CivilClock {
    /// Returns a function that tells how much time has passed since this call, whatever the calendar shows meanwhile.
    package func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
