import PushClock
import Synchronization

/// The work that one process of an app has begun, so that a test can await it.
///
/// Each call into the app has a ``Piece``, bound to its task. The tasks and blocks that the call starts inherit it, as they inherit
/// the device, and so do theirs: the piece is released when the last of them has ended.
package final class AppWork: Sendable {
    private struct State {
        var next = 0
        var open: Set<Int> = []
        /// Made when no piece is open; nil if nobody waits.
        var idle: Announcement<Void>?
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

    private init() {}

    /// Returns the work of the process behind a port.
    package static func of(_ port: any SystemPort) -> AppWork { port.slots.slot { AppWork() } }

    /// Returns a new piece.
    package func begin() -> Piece {
        let number = state.withLock { state in
            state.next += 1
            state.open.insert(state.next)
            return state.next
        }
        return Piece(self, number)
    }

    /// Whether a piece is open.
    package var isBusy: Bool { state.withLock { !$0.open.isEmpty } }

    /// Returns when no piece is open.
    ///
    /// - Throws: `CancellationError`.
    package func ended() async throws {
        let idle = state.withLock { state -> Announcement<Void>? in
            guard !state.open.isEmpty else { return nil }
            let idle = state.idle ?? Announcement()
            state.idle = idle
            return idle
        }
        try await idle?.value
    }

    /// Does not count the pieces that are open now any more.
    package func leaveOpen() { end { $0.removeAll() } }

    private func end(_ change: (inout Set<Int>) -> Void) {
        let idle = state.withLock { state -> Announcement<Void>? in
            change(&state.open)
            return state.open.isEmpty ? state.idle.take() : nil
        }
        idle?.make(.success(()))
    }
}
