import Dispatch
import Synchronization

/// Runs the first step of an async method on the caller's thread, and the rest on Dispatch's pool.
///
/// Otherwise a default implementation would be reached only later, on another thread, and a `MethodProbe` could not
/// distinguish it from a slow method of the app.
final class FirstStep: TaskExecutor {
    private let isOver = Atomic(false)

    func enqueue(_ job: consuming ExecutorJob) {
        // Unsafe by type but safe here: the task of the job keeps its executor alive, and each job runs once.
        let job = UnownedJob(job)
        if isOver.exchange(true, ordering: .relaxed) {
            DispatchQueue.global().async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        } else {
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

extension MethodProbe {
    /// Calls an async method from the main thread. If it is a default, the probe knows when this returns.
    package static func start(_ method: @escaping @MainActor @Sendable () async -> Void) {
        // Not awaited: it ends with the app's method, whose answer goes to the system.
        Task.immediate(executorPreference: FirstStep(), operation: method)
    }
}
