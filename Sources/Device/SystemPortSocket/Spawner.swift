import CProcess
import Foundation
import ProcessSpawn
import Synchronization
import SystemPort

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
