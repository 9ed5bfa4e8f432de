import Foundation
import Glibc
import Synchronization
import SystemPort

/// A process of an app, until it has ended and been reaped.
final class ChildProcess: Sendable {
    let id: Int32
    private let isGone = Mutex(false)

    init(id: Int32) { self.id = id }

    /// Sends a signal to the process and its children; has no effect once it has ended.
    func signal(_ number: Int32) {
        // While the lock is held, the id is not reused for another process.
        isGone.withLock { isGone in
            if isGone { return }
            _ = killpg(id, number)
            // It may have left its initial process group.
            _ = kill(id, number)
        }
    }

    /// Waits for the end of the process, ends its children, and reaps it.
    func wait() -> ProcessEnd {
        var info = unsafe siginfo_t()
        // C interface: fills a value that lives until the end of this function.
        while unsafe waitid(P_PID, UInt32(id), &info, WEXITED | WNOWAIT) != 0 {
            if errno == EINTR { continue }
            // Other code in this process reaped it: the id may be another's by now.
            isGone.withLock { $0 = true }
            return .failed("its exit status cannot be read: \(unsafe String(cString: strerror(errno)))")
        }
        return isGone.withLock { isGone in
            _ = killpg(id, SIGKILL)
            isGone = true
            var status: Int32 = 0
            while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            return signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
        }
    }
}
