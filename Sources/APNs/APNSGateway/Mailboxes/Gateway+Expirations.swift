import Foundation
import PushClock
import Synchronization

/// The expiration of waiting pushes, and the release of pushes that were held back.
extension Gateway {
    /// Drops expired pushes and delivers held-back ones, each at its own time, until the task is cancelled. Must be called once.
    package func runExpirations() async {
        await keeper.run(on: clock) {
            expire()
            return nextExpiration()
        }
    }

    /// Drops pushes that have expired by now, and delivers pushes that were held back until now.
    package func expire() {
        // A clock with fractions may stop just before the date, so a push may be dropped this much too early.
        let now = clock.date.addingTimeInterval(0.001)
        change { state in
            while let index = state.takeWatch(before: now) {
                self.carry(state.records[index].mailbox.catchUp(at: now), of: index, at: now, in: &state)
            }
            self.carry(state.channels.expire(at: now), at: now, in: &state)
        }
    }

    func nextExpiration() -> Date? {
        state.withLock { state in
            state.wakesAt = [state.nextWatch, state.channels.nextExpiration].compactMap(\.self).min()
            return state.wakesAt
        }
    }
}
