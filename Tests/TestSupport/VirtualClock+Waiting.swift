package import PushClock

extension VirtualClock {
    /// Waits until somebody sleeps on the clock.
    ///
    /// - Throws: ``UnmetCondition``.
    package func sleeper(file: String = #fileID, line: Int = #line) async throws {
        try await sleeper("somebody sleeps on the virtual clock", file: file, line: line) { _ in true }
    }

    /// Waits until whoever sleeps on the clock wakes next after `time`.
    ///
    /// - Throws: ``UnmetCondition``.
    package func sleeper(for time: Duration, file: String = #fileID, line: Int = #line) async throws {
        let deadline = now.advanced(by: time)
        try await sleeper("the next sleeper wakes after \(time)", file: file, line: line) { $0 == deadline }
    }

    /// Waits until somebody sleeps whose deadline is the next one, and fits.
    ///
    /// - Throws: ``UnmetCondition``.
    package func sleeper(
        _ awaited: String,
        within limit: Duration = usualLimit,
        file: String = #fileID,
        line: Int = #line,
        where fits: @escaping @Sendable (Instant) -> Bool
    ) async throws {
        _ = try await event(awaited, within: limit, file: file, line: line) {
            try await self.nextDeadline(where: fits)
        }
    }

    /// Moves time on to each deadline that is no farther than `limit`, as soon as somebody sleeps until then, until the task
    /// is cancelled or the time is `end`.
    ///
    /// Sockets live in real time: what was given to them a moment ago gets that moment before the clock moves, and what
    /// `settle` waits for.
    package func skipPauses(
        upTo limit: Duration,
        until end: Instant? = nil,
        settle: @Sendable () async -> Void = {}
    ) async {
        while end.map({ now < $0 }) ?? true {
            let next = try? await nextDeadline { self.now.duration(to: $0) <= limit }
            guard let next, !Task.isCancelled else { return }
            try? await Task.sleep(for: .milliseconds(1), tolerance: .zero)
            await settle()
            if nextDeadline == next { await advanceToNextDeadline() }
        }
    }
}
