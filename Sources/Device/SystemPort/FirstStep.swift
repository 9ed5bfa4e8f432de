import Dispatch
import Synchronization

/// Runs the first step of an async method where it is called, and the rest on Dispatch's pool.
///
/// Without it a default implementation would be reached only later, on another thread, and a `MethodProbe` could not
/// tell it from a method of the app that takes its time.
final class FirstStep: TaskExecutor {
    private let isOver = Atomic(false)

    func enqueue(_ job: consuming ExecutorJob) {
        // Running it is unsafe by type, safe here: the task that the job belongs to keeps its executor alive, and each job runs once.
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
        // Nobody awaits it: it ends with the app's method, whose answer goes to the system.
        Task.immediate(executorPreference: FirstStep(), operation: method)
    }
}
