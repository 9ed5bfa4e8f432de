import Dispatch
import Synchronization
import SystemPort

/// Somebody in the app waits for an answer of the device.
final class Question: Sendable {
    enum Answer: Sendable {
        case reply(SystemReply)
        case time(ClockReading)
    }

    private let settled = Mutex<Answer?>(nil)
    private let arrived = DispatchSemaphore(value: 0)

    func settle(_ answer: Answer) {
        settled.withLock { $0 = answer }
        arrived.signal()
    }

    /// Waits for it. The answer comes on the port's own thread, whatever this one holds up.
    func answer() -> Answer {
        arrived.wait()
        return settled.withLock { $0 } ?? .reply(.terminated)
    }
}
