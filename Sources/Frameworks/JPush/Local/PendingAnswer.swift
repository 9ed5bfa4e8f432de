import Dispatch
import Synchronization
import SystemPort

/// The requests that wait, once the system has named them.
final class PendingAnswer: Sendable {
    private let records = Mutex<[RequestRecord]>([])
    private let isGiven = DispatchSemaphore(value: 0)

    func give(_ reply: SystemReply) {
        if case .requests(let found) = reply { records.withLock { $0 = found } }
        isGiven.signal()
    }

    func wait() -> [RequestRecord] {
        isGiven.wait()
        return records.withLock { $0 }
    }
}
