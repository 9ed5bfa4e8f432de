package import Foundation
import Synchronization

/// Does work at its next date, which may become earlier while the keeper sleeps.
package final class DateKeeper: Sendable {
    /// Made when the keeper is woken, and replaced when it notices.
    private let wakeUp = Mutex(Announcement<Void>())

    package init() {}

    /// Makes the work run now, or at the start of ``run(on:work:)``, because its next date may have become earlier.
    package func wake() { wakeUp.withLock(\.self).make(.success(())) }

    /// Does `work` whenever the keeper is woken and at each date that `work` returns, until the task is cancelled. Must be called once.
    package func run(on clock: any CivilClock, work: () -> Date?) async {
        var next: Date?
        while true {
            do {
                try await sleep(until: next, on: clock)
                try Task.checkCancellation()
            } catch { return }
            // Replaced before the work: a call of `wake` during the work makes it run again.
            wakeUp.withLock { if $0.isMade { $0 = Announcement() } }
            next = work()
        }
    }

    /// Returns at `date`, or when the keeper is woken.
    private func sleep(until date: Date?, on clock: any CivilClock) async throws {
        let wakeUp = wakeUp.withLock(\.self)
        guard let date else { return try await wakeUp.value }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await wakeUp.value }
            group.addTask { try await clock.sleep(until: date) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
