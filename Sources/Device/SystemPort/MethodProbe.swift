import Dispatch
import Synchronization

/// Determines whether an app implements an optional method of a delegate protocol.
///
/// The default implementations call ``miss()``: if a call reaches a default, the app has no method of its own.
package final class MethodProbe: Sendable {
    @TaskLocal private static var current: MethodProbe?

    private let missed = Mutex(false)

    private init() {}

    /// Records, in a default implementation, that the app has no such method.
    package static func miss() { current?.missed.withLock { $0 = true } }

    /// Records, in a default implementation with a result, that the app has no such method.
    package static func missed<Result>(_ result: Result) -> Result {
        miss()
        return result
    }

    /// Calls a method.
    ///
    /// - Returns: whether the app implements it.
    package static func reaches(_ call: () -> Void) -> Bool {
        let probe = MethodProbe()
        $current.withValue(probe, operation: call)
        return !probe.missed.withLock { $0 }
    }

    /// Calls an async method from the main thread. If it is a default, the probe knows when this returns.
    package static func start(_ method: @escaping @MainActor @Sendable () async -> Void) {
        // Not awaited: it ends with the app's method, whose answer goes to the system.
        Task.immediate(executorPreference: FirstStep(), operation: method)
    }
}

/// Runs the first step of an async method on the caller's thread, and the rest on Dispatch's pool.
///
/// Otherwise a default implementation would be reached only later, on another thread, and a `MethodProbe` could not
/// distinguish it from a slow method of the app.
private final class FirstStep: TaskExecutor {
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
