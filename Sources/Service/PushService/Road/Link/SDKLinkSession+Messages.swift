import DeviceLink
import PushModel
import Synchronization

// Custom messages on a link. The caller that finds the outbox idle sends, outside the lock; others only add to it, so the order is
// that of the outbox.
extension SDKLinkSession {
    /// Holds messages from now on until the link is open for them.
    func awaitMessages() { state.withLock { $0.outbox.await() } }

    /// Sends the messages that wait for the device, then those that have arrived meanwhile. Messages up to the position are
    /// in `pack` or not for the device; more than these may be waiting.
    func open(with pack: MessagePack?, after position: Int64, isAll: Bool = true) {
        work { $0.open(with: pack, after: position, isAll: isAll) }
    }

    /// Checks for waiting messages after the device has acknowledged some.
    ///
    /// - Returns: whether the caller has to run the session: messages that had no room are waiting.
    func wakeToCatchUp() -> Bool {
        state.withLock { state in
            guard state.outbox.canCatchUp, !state.isBusy else { return false }
            state.isBusy = true
            return true
        }
    }

    /// Adds messages for the device, later than all before.
    func offer(_ pack: MessagePack) { work { $0.add(pack) } }

    /// Returns when the messages offered to these sessions were written, or the links have closed.
    static func written(_ sessions: some Collection<SDKLinkSession>) async {
        guard !sessions.isEmpty else { return }
        let countdown = Countdown(sessions.count)
        await withCheckedContinuation { continuation in
            for session in sessions {
                session.connection.whenWritten { if countdown.isLast { continuation.resume() } }
            }
        }
    }

    private final class Countdown: Sendable {
        private let left: Atomic<Int>

        init(_ count: Int) { left = Atomic(count) }

        /// Counts down by one.
        var isLast: Bool { left.subtract(1, ordering: .relaxed).newValue == 0 }
    }

    func refuseMessages() { state.withLock { $0.outbox.close() } }

    /// Records an acknowledgement.
    ///
    /// - Returns: the newly acknowledged messages and their last position; nil if there are none.
    func acknowledge(_ position: Int64) -> (through: Int64, messages: [MessageID])? {
        state.withLock { $0.outbox.acknowledge(position) }
    }

    private func work(_ change: (inout MessageOutbox) -> Bool) {
        guard state.withLock({ change(&$0.outbox) }) else { return }
        while let batches = state.withLock({ $0.outbox.next() }) {
            for batch in batches { connection.send(batch) }
        }
    }
}
