import Dispatch
import Foundation
import Synchronization

/// The app's method for a push that runs in a process, and what other threads ask of the calls meanwhile.
///
/// A phone looks for the report of a call when the method returns. A task that the method starts runs beside it: which of the two is first
/// would differ from run to run. So what another thread asks waits until the method has returned, and is too late. A method that waits for its
/// report without returning is known by that, and gets it.
package final class PushMethod: PortSlot {
    private struct State {
        var thread: Thread?
        /// The number of methods that have returned.
        var returned = 0
        var waiting: [@Sendable () -> Void] = []
    }

    /// The time after which a method counts as one that waits. Others return within microseconds, on a busy machine within milliseconds.
    private static let waitingTime = DispatchTimeInterval.milliseconds(100)

    private let state = Mutex(State())

    package init() {}

    /// Runs the method on this thread, and says that it has returned before what has waited for that.
    package func run(_ method: () -> Void, returned: () -> Void) {
        state.withLock { $0.thread = Thread.current }
        method()
        returned()
        release(
            state.withLock { state in
                state.thread = nil
                state.returned += 1
                return state.returned
            }
        )
    }

    /// Runs a call at once, or when the method that runs on another thread has returned or waits.
    package func order(_ call: @escaping @Sendable () -> Void) {
        let returned: Int? = state.withLock { state in
            guard let thread = state.thread, thread !== Thread.current else { return nil }
            state.waiting.append(call)
            return state.returned
        }
        guard let returned else { return call() }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.waitingTime) { self.release(returned) }
    }

    /// Runs what has waited, if so many methods have returned.
    private func release(_ returned: Int) {
        let waiting = state.withLock { state in
            guard state.returned == returned else { return [] as [@Sendable () -> Void] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for call in waiting { call() }
    }
}

extension SystemPort {
    /// Asks something of the calls, in the order of ``PushMethod``.
    package func call(_ call: CallKitCall, completion: @escaping SystemReplyHandler = { _ in }) {
        PushMethod.of(self).order { self.call(.callKit(call), completion: completion) }
    }
}
