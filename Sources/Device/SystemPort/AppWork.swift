package import PushClock
import Synchronization

/// The work that one process of an app has begun, so that a test can await it.
///
/// Each call into the app has a ``Piece``, bound to its task. The tasks and blocks that the call starts inherit it, as they inherit
/// the device, and so do theirs: the piece is released when the last of them has ended. An alarm that the frameworks have set for
/// the app is work from the moment at which it is due until it has rung.
package final class AppWork: PortSlot {
    private struct State {
        var next = 0
        var open: Set<Int> = []
        /// The pieces and alarms that have not ended and that nobody waits for any more.
        var left: Set<Int> = []
        /// The alarms that have not ended; nil while one is being set.
        var alarms: [Int: Alarm?] = [:]
        /// Made when no piece is open; nil if nobody waits.
        var idle: Announcement<Void>?

        var isBusy: Bool { !open.isEmpty || alarms.values.contains { $0?.isDue == true } }

        mutating func takeNumber() -> Int {
            next += 1
            return next
        }

        mutating func remove(_ number: Int) {
            open.remove(number)
            alarms[number] = nil
            left.remove(number)
        }
    }

    /// Held by a call into the app and by all that it starts.
    package final class Piece: Sendable {
        private let work: AppWork
        private let number: Int

        fileprivate init(_ work: AppWork, _ number: Int) {
            self.work = work
            self.number = number
        }

        deinit { work.end { $0.remove(number) } }
    }

    private let state = Mutex(State())

    package init() {}

    /// Returns a new piece.
    package func begin() -> Piece {
        let number = state.withLock { state in
            let number = state.takeNumber()
            state.open.insert(number)
            return number
        }
        return Piece(self, number)
    }

    /// Sets an alarm on the clock of the app's device; it rings on any thread.
    package func alarm(after delay: Duration, on clock: any CivilClock, ring: @escaping @Sendable () -> Void) -> Alarm {
        let number = state.withLock { state in
            let number = state.takeNumber()
            state.alarms[number] = .some(nil)
            return number
        }
        // The piece that sets it does not last until it rings.
        let port = CurrentPort.bound
        let alarm = CurrentPort.outside {
            Alarm(after: delay, on: clock) {
                if let port { CurrentPort.with(port, ring) } else { ring() }
            } ended: { [weak self] in
                self?.end { $0.remove(number) }
            }
        }
        // Unless it has ended by now.
        state.withLock { state in
            if state.alarms.keys.contains(number) { state.alarms[number] = alarm }
        }
        return alarm
    }

    /// Whether a piece is open, or an alarm is due.
    package var isBusy: Bool { state.withLock(\.isBusy) }

    /// Whether work that ``leaveOpen()`` left has not ended.
    package var isLeftOpen: Bool { state.withLock { !$0.left.isEmpty } }

    /// Returns when no piece is open and no alarm is due.
    ///
    /// - Throws: `CancellationError`.
    package func ended() async throws {
        let idle = state.withLock { state -> Announcement<Void>? in
            guard state.isBusy else { return nil }
            let idle = state.idle ?? Announcement()
            state.idle = idle
            return idle
        }
        try await idle?.value
    }

    /// Does not count the pieces that are open now any more, nor the alarms that are due.
    package func leaveOpen() {
        end { state in
            let due = state.alarms.filter { $0.value?.isDue == true }.keys
            state.left.formUnion(state.open)
            state.left.formUnion(due)
            state.open.removeAll()
            for number in due { state.alarms[number] = nil }
        }
    }

    private func end(_ change: (inout State) -> Void) {
        let idle = state.withLock { state -> Announcement<Void>? in
            change(&state)
            return state.isBusy ? nil : state.idle.take()
        }
        idle?.make(.success(()))
    }
}
