import NIOCore
import Synchronization

/// Runs tasks on the event loop of the client's connections.
///
/// Tasks that are resumed by one read run together, and their sends leave in one write: no thread has to be woken.
final class EventLoopExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isAnnounced = false
    }

    let loop: any EventLoop
    private let state = Mutex(State())

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = state.withLock { state in
            state.jobs.append(job)
            defer { state.isAnnounced = true }
            return !state.isAnnounced
        }
        if isFirst { loop.execute { self.run() } }
    }

    private func run() {
        let jobs = state.withLock { state in
            let jobs = state.jobs
            state.jobs = []
            state.jobs.reserveCapacity(jobs.count)
            state.isAnnounced = false
            return jobs
        }
        for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
