import Foundation
import PushClock
import Synchronization

/// The end of what waited too long, and of what was held back.
extension Gateway {
    /// Drops what is over and hands over what was held back, each push at its own moment, until the task is cancelled. To be called once.
    package func runExpirations() async {
        var keeper: Task<Void, Never>?
        for await _ in wakeUps {
            keeper?.cancel()
            await keeper?.value
            // Unstructured, because it alone is cancelled when an earlier date turns up; awaited above and below.
            keeper = Task { await self.expireUntilIdle() }
        }
        keeper?.cancel()
        await keeper?.value
    }

    func expireUntilIdle() async {
        while let next = nextExpiration() {
            do { try await clock.sleep(until: next) } catch { return }
            expire()
        }
    }

    /// Drops what is over by now, and hands over what was held back until now.
    package func expire() {
        // A clock that counts in fractions may stop a hair before the date; a push is rather dropped that much too early.
        let now = clock.date.addingTimeInterval(0.001)
        change { state in
            while let place = state.takeWatch(before: now) {
                self.carry(state.records[place].mailbox.catchUp(at: now), of: place, now, &state)
            }
            self.carry(state.channels.expire(at: now), now, &state)
        }
    }

    func nextExpiration() -> Date? {
        state.withLock { state in
            state.wakesAt = [state.nextWatch, state.channels.nextExpiration].compactMap(\.self).min()
            return state.wakesAt
        }
    }
}
