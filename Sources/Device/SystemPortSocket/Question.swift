import Dispatch
import Synchronization
import SystemPort

/// A question from the app that waits for the device's answer.
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

    /// Waits for the answer. It arrives on the port's own thread, so blocking this one is safe.
    func answer() -> Answer {
        arrived.wait()
        return settled.withLock { $0 } ?? .reply(.terminated)
    }
}
