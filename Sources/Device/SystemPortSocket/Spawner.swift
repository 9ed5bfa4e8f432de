import CProcess
import Foundation
import Synchronization

/// Starts all processes from one thread, which never ends.
///
/// An app asks the kernel to kill it when the thread that started it ends, so that no app, not even a suspended one,
/// outlives a device that was killed. Threads of Dispatch's pool come and go, and would take their apps with them.
final class Spawner: Sendable {
    static let shared = Spawner()

    private final class Job: Sendable {
        let launch: ChildLaunch
        let result = Mutex<Result<Int32, PortProblem>?>(nil)
        let done = DispatchSemaphore(value: 0)

        init(_ launch: ChildLaunch) { self.launch = launch }
    }

    private let jobs = Mutex<[Job]>([])
    private let waiting = DispatchSemaphore(value: 0)

    private init() {
        heed_children()
        Thread.detachNewThread { [self] in
            while true {
                waiting.wait()
                let job = jobs.withLock { $0.removeFirst() }
                let result = job.launch.run()
                job.result.withLock { $0 = result }
                job.done.signal()
            }
        }
    }

    /// Starts a process, and waits until it exists.
    ///
    /// - Returns: its id.
    /// - Throws: the reason it cannot be started.
    func start(_ launch: ChildLaunch) throws(PortProblem) -> Int32 {
        let job = Job(launch)
        jobs.withLock { $0.append(job) }
        waiting.signal()
        job.done.wait()
        guard let result = job.result.withLock({ $0 }) else { throw PortProblem("No process was started.") }
        return try result.get()
    }
}
