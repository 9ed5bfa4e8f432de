import DeviceLink
import PushModel
import Synchronization

// Custom messages on a link. Whoever finds the outbox idle sends, outside the lock; others only add to it, so the order is that
// of the outbox.
extension SDKLinkSession {
    /// Messages that come from now on wait until the link is open for them.
    func awaitMessages() { state.withLock { $0.mail.await() } }

    /// Sends what waits for the device, then what has come meanwhile.
    ///
    /// * `position`: what goes up to there is in `pack`, or not for the device.
    /// * `isAll`: false if more than `pack` waits.
    func open(with pack: MessagePack?, after position: Int64, isAll: Bool = true) {
        work { $0.open(with: pack, after: position, isAll: isAll) }
    }

    /// The other end has acknowledged messages.
    ///
    /// - Returns: whether somebody is to take the steps there are now: others wait that had no room.
    func wakeToCatchUp() -> Bool {
        state.withLock { state in
            guard state.mail.canCatchUp, !state.isBusy else { return false }
            state.isBusy = true
            return true
        }
    }

    /// Takes messages for the device, later ones than those before.
    func offer(_ pack: MessagePack) { work { $0.add(pack) } }

    /// Returns when what was offered to these before has left, or cannot any more.
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

        /// Counts one down.
        var isLast: Bool { left.subtract(1, ordering: .relaxed).newValue == 0 }
    }

    func refuseMessages() { state.withLock { $0.mail.close() } }

    /// - Returns: the messages that the device has said to have with this, and up to where; nil if it was sent none of them.
    func acknowledge(_ position: Int64) -> (through: Int64, messages: [MessageID])? {
        state.withLock { $0.mail.acknowledge(position) }
    }

    private func work(_ change: (inout MessageOutbox) -> Bool) {
        guard state.withLock({ change(&$0.mail) }) else { return }
        while let batches = state.withLock({ $0.mail.next() }) {
            for batch in batches { connection.send(batch) }
        }
    }
}
