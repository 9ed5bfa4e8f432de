import GRDB
import PushService
import Synchronization

/// Executes writes that share a commit.
///
/// Writes requested during a transaction form the next one: syncing to disk costs the same for one write and for a hundred, and
/// there is no timer. A failing job does not affect others: the transaction runs again with a savepoint for each job, so work
/// may run twice and must only write to the database. Callers get the result after the commit.
///
/// Work of callers that can retry is refused beyond ``Limits`` (``WriteBackpressure``).
package final class GroupCommit: Sendable {
    /// The limits of callers' work that waits for the disk.
    package struct Limits: Sendable {
        var jobs = 8192
        /// The memory held by the work in bytes, as far as known.
        var bytes = 64 * 1024 * 1024
    }

    private struct Job: Sendable {
        /// Does the work and returns the reply to its caller, which takes the error of the commit or nil.
        var run: @Sendable (Database) throws -> @Sendable ((any Error)?) -> Void
        /// Reports to the caller that nothing was written.
        var fail: @Sendable (any Error) -> Void
        /// The memory it holds in bytes; nil for the service's own work, which is never refused.
        var callerBytes: Int?
    }

    private struct State {
        var jobs: [Job] = []
        var isWriting = false
        /// The number of callers' jobs that wait or are being written.
        var callers = 0
        var bytes = 0
        /// Work to do before any other, until it is committed.
        var owed: [@Sendable (Database) throws -> Void] = []
        var trouble: StoreError?

        /// Returns whether there is room for a job; a single job always fits.
        func admits(_ job: Job, _ limits: Limits) -> Bool {
            guard let bytes = job.callerBytes, callers > 0 else { return true }
            return callers < limits.jobs && self.bytes + bytes <= limits.bytes
        }

        mutating func count(_ job: Job, _ sign: Int) {
            guard let bytes = job.callerBytes else { return }
            callers += sign
            self.bytes += sign * bytes
        }
    }

    private enum Addition { case waits, starts, isRefused }

    /// The result of a transaction without savepoints.
    private enum Ending {
        case over
        case failedWork
        case refused(StoreError)
    }

    /// The maximum number of jobs in a transaction, so that the first does not wait too long.
    private static let batch = 512

    private let database: DatabasePool
    private let tokens: TokenIndex
    private let files: StoreFiles?
    private let limits: Limits
    private let metrics: StoreMetrics
    private let disk: @Sendable (StoreError?) -> Void
    private let state = Mutex(State())

    /// - `files`: those of the database; nil for one in memory.
    /// - `disk`: called when the disk starts to refuse writes, and with nil when it accepts them again.
    init(
        _ database: DatabasePool,
        tokens: TokenIndex,
        files: StoreFiles? = nil,
        limits: Limits = Limits(),
        metrics: StoreMetrics,
        disk: @escaping @Sendable (StoreError?) -> Void = { _ in }
    ) {
        self.database = database
        self.tokens = tokens
        self.files = files
        self.limits = limits
        self.metrics = metrics
        self.disk = disk
    }

    /// Returns after the commit.
    func write<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in write(work) { continuation.resume(with: $0) } }
    }

    /// Adds work that holds some bytes of memory; `reply` is called after the commit on the writer's thread and must not block.
    func write<Value: Sendable>(
        bytes: Int = 0,
        _ work: @escaping @Sendable (Database) throws -> Value,
        reply: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let job = Job(
            run: { database in
                let value = try work(database)
                return { [self] error in reply(error.map { .failure(reported($0)) } ?? .success(value)) }
            },
            fail: { [self] in reply(.failure(reported($0))) },
            callerBytes: WriteBackpressure.mayBeRefused ? bytes : nil
        )
        let addition = state.withLock { state -> Addition in
            guard state.admits(job, limits) else { return .isRefused }
            state.count(job, 1)
            state.jobs.append(job)
            defer { state.isWriting = true }
            return state.isWriting ? .waits : .starts
        }
        switch addition {
        case .waits: break
        case .starts: database.asyncWriteWithoutTransaction { [self] in drain(into: $0) }
        case .isRefused: job.fail(StoreError.busy)
        }
    }

    /// Does the work before all later writes.
    ///
    /// It may wait for space on the disk, but nothing overtakes it.
    func writeFirst(_ work: @escaping @Sendable (Database) throws -> Void) async throws {
        state.withLock { $0.owed.append(work) }
        try await write { _ in }
    }

    /// Returns the error to report to the caller.
    private func reported(_ error: any Error) -> any Error {
        StoreError(ofDisk: error) ?? DatabaseProblem(error, in: database.path) ?? error
    }

    private func drain(into database: Database) {
        while let jobs = nextJobs() {
            switch commit(jobs, into: database) {
            case .over: break
            case .failedWork: commitEach(jobs, into: database)
            case .refused(let trouble): commitOwn(jobs, trouble, into: database)
            }
        }
    }

    /// Makes room for further jobs, before these are answered: a caller that has its answer may write again.
    private func release(_ jobs: [Job]) { state.withLock { state in for job in jobs { state.count(job, -1) } } }

    private func nextJobs() -> [Job]? {
        let (jobs, waiting) = state.withLock { state -> ([Job]?, Int) in
            guard !state.jobs.isEmpty else {
                state.isWriting = false
                return (nil, 0)
            }
            let waiting = state.jobs.count
            let jobs = Array(state.jobs.prefix(Self.batch))
            state.jobs.removeFirst(jobs.count)
            return (jobs, waiting)
        }
        metrics.waiting(waiting)
        return jobs
    }

    /// Runs a transaction of a number of writes, with owed work first.
    private func transaction(of count: Int, in database: Database, _ work: () throws -> Void) throws {
        let owed = state.withLock(\.owed)
        let start = metrics.start
        var changes = 0
        do {
            try database.inTransaction(.immediate) {
                // Not earlier: only a transaction checks that the connection has not been closed.
                changes = metrics.isOn ? database.totalChangesCount : 0
                tokens.begin()
                try files?.check()
                for work in owed { try work(database) }
                try work()
                return .commit
            }
            // Committed to a file that nobody finds again, it is not stored.
            try files?.check()
        } catch {
            metrics.transactionFailed()
            throw error
        }
        if metrics.isOn { metrics.committed(since: start, writes: count, rows: database.totalChangesCount - changes) }
        state.withLock { $0.owed.removeFirst(owed.count) }
    }

    /// Commits all jobs without savepoints, which is enough unless one fails, which is rare.
    private func commit(_ jobs: [Job], into database: Database) -> Ending {
        var replies: [@Sendable ((any Error)?) -> Void] = []
        replies.reserveCapacity(jobs.count)
        do {
            try transaction(of: jobs.count, in: database) { for job in jobs { replies.append(try job.run(database)) } }
            report(nil)
            release(jobs)
            for reply in replies { reply(nil) }
        } catch {
            tokens.undo(to: 0)
            if let trouble = StoreError(ofDisk: error) { return .refused(trouble) }
            guard replies.count == jobs.count else { return .failedWork }
            release(jobs)
            for reply in replies { reply(error) }
        }
        return .over
    }

    /// Commits only the service's own work if the disk does not accept all; callers can retry.
    private func commitOwn(_ jobs: [Job], _ trouble: StoreError, into database: Database) {
        report(trouble)
        release(jobs)
        let own = jobs.filter { $0.callerBytes == nil }
        for job in jobs where job.callerBytes != nil { job.fail(trouble) }
        guard own.count < jobs.count, !own.isEmpty else {
            for job in own { job.fail(trouble) }
            return
        }
        switch commit(own, into: database) {
        case .over: break
        case .failedWork: commitEach(own, into: database)
        case .refused(let trouble): for job in own { job.fail(trouble) }
        }
    }

    /// Commits each job in its own savepoint.
    private func commitEach(_ jobs: [Job], into database: Database) {
        var replies: [@Sendable ((any Error)?) -> Void] = []
        do {
            try transaction(of: jobs.count, in: database) {
                for job in jobs {
                    // SQLite ends a transaction by itself when the disk is full; a savepoint would then start its own
                    // transaction, and commit work that is reported as failed.
                    guard database.isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
                    replies.append(try attempt(job, in: database))
                }
            }
            report(nil)
            release(jobs)
            for reply in replies { reply(nil) }
        } catch {
            tokens.undo(to: 0)
            if let trouble = StoreError(ofDisk: error) { report(trouble) }
            release(jobs)
            for reply in replies { reply(error) }
            for job in jobs.dropFirst(replies.count) { job.fail(error) }
        }
    }

    /// - Throws: an error of the disk, which ends the transaction for all jobs.
    private func attempt(_ job: Job, in database: Database) throws -> @Sendable ((any Error)?) -> Void {
        let mark = tokens.mark
        do {
            var reply: (@Sendable ((any Error)?) -> Void)?
            try database.inSavepoint {
                reply = try job.run(database)
                return .commit
            }
            guard let reply else { throw DatabaseError(message: "A savepoint ended without running its work.") }
            return reply
        } catch {
            if StoreError(ofDisk: error) != nil { throw error }
            tokens.undo(to: mark)
            return { commitError in job.fail(commitError ?? error) }
        }
    }

    /// Reports when the disk starts to refuse writes, and when it accepts them again.
    private func report(_ trouble: StoreError?) {
        let isNew = state.withLock { state in
            defer { state.trouble = trouble }
            return (state.trouble == nil) != (trouble == nil)
        }
        if isNew { disk(trouble) }
    }
}
