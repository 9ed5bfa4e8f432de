import CProcess
import Foundation
import Glibc
import ProcessSpawn
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

/// Starts all processes from one thread, which never ends.
///
/// An app asks the kernel to kill it when the thread that started it ends, so that no app, not even a suspended one,
/// outlives a device that was killed. Threads of Dispatch's pool come and go, and would take their apps with them.
final class Spawner: Sendable {
    static let shared = Spawner()

    private final class Job: Sendable {
        let launch: ProcessSpawn
        let result = BlockingAnswer(Result<Int32, PortProblem>.failure(PortProblem("No process was started.")))

        init(_ launch: ProcessSpawn) { self.launch = launch }
    }

    private let jobs = Mutex<[Job]>([])
    private let waiting = DispatchSemaphore(value: 0)

    private init() {
        heed_children()
        Thread.detachNewThread { [self] in
            while true {
                waiting.wait()
                let job = jobs.withLock { $0.removeFirst() }
                job.result.settle(
                    job.launch.run().mapError { PortProblem("'\(job.launch.path)' cannot be started: \($0.reason).") }
                )
            }
        }
    }

    /// Starts a process, and waits until it exists.
    ///
    /// - Returns: its id.
    /// - Throws: the reason it cannot be started.
    func start(_ launch: ProcessSpawn) throws(PortProblem) -> Int32 {
        let job = Job(launch)
        jobs.withLock { $0.append(job) }
        waiting.signal()
        return try job.result.wait().get()
    }
}
