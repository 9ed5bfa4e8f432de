import Synchronization

/// The time since which commits of this process were not answered.
final class UnansweredChanges: Sendable {
    private struct State {
        /// The first, and the number of all.
        var since: ContinuousClock.Instant? = nil
        var count: Int = 0
    }

    private let state = Mutex(State())

    /// The time that a transaction may have taken before it was given up, from its entry in the log on.
    private static let longest = Duration.seconds(120)

    /// Notes a commit that was not answered.
    func note() {
        state.withLock { state in
            state.since = state.since ?? .now
            state.count += 1
        }
    }

    /// Runs a body with the age of the oldest entry that an unanswered transaction can have in the log, and forgets the
    /// transactions if it succeeds. Returns nil if all commits were answered.
    func settle<Result>(_ body: (Duration) async throws -> Result) async throws -> Result? {
        let found = state.withLock { $0 }
        guard let since = found.since else { return nil }
        let result = try await body(since.duration(to: .now) + Self.longest)
        // One that came meanwhile is settled by the next call, together with these.
        state.withLock { if $0.count == found.count { $0.since = nil } }
        return result
    }
}
