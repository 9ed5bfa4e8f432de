import GRDB
import PushService
import Synchronization

/// Writes that share a commit.
///
/// What is asked for while a transaction runs goes into the next one together: syncing to disk costs the same for one write
/// and for a hundred, and nobody waits for a timer. A piece of work that fails takes nobody with it: the transaction runs again,
/// with a savepoint for each, so work may run twice and must do nothing but write to the database. Callers hear of their work
/// after the commit.
///
/// Work of callers who can ask again is refused beyond ``Limits`` (``WriteBackpressure``).
final class GroupCommit: Sendable {
    /// How much of callers may wait for the disk.
    struct Limits: Sendable {
        var jobs = 8192
        /// Bytes that the work holds in memory, as far as it is said how many.
        var bytes = 64 * 1024 * 1024
    }

    private struct Job: Sendable {
        /// Does its work, and gives back how to tell its caller: with the error of the commit, or nil.
        var run: @Sendable (Database) throws -> @Sendable ((any Error)?) -> Void
        /// Tells its caller that nothing of it was kept.
        var fail: @Sendable (any Error) -> Void
        /// Bytes that it holds; nil for work of the service itself, which is never refused.
        var callerBytes: Int?
    }

    private struct State {
        var jobs: [Job] = []
        var isWriting = false
        /// Those of callers that wait or are being written.
        var callers = 0
        var bytes = 0
        /// Work that comes before any other, until it has been committed.
        var owed: [@Sendable (Database) throws -> Void] = []
        var trouble: StoreError?

        /// Whether there is room for a job; there always is for the only one.
        func takes(_ job: Job, _ limits: Limits) -> Bool {
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

    /// How a transaction ended that has no savepoints.
    private enum Ending {
        case over
        case failedWork
        case refused(StoreError)
    }

    /// Jobs a transaction at most, so that the first of them does not wait for ever.
    private static let batch = 512

    private let database: DatabasePool
    private let tokens: TokenIndex
    private let cids: CIDIndex
    private let limits: Limits
    private let disk: @Sendable (StoreError?) -> Void
    private let state = Mutex(State())

    /// - `disk`: is told when the disk begins to refuse writes, and, with nil, when it takes them again.
    init(
        _ database: DatabasePool,
        tokens: TokenIndex,
        cids: CIDIndex,
        limits: Limits = Limits(),
        disk: @escaping @Sendable (StoreError?) -> Void = { _ in }
    ) {
        self.database = database
        self.tokens = tokens
        self.cids = cids
        self.limits = limits
        self.disk = disk
    }

    /// Returns after the commit.
    func write<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in write(work) { continuation.resume(with: $0) } }
    }

    /// * `bytes`: what the work holds in memory.
    /// * `reply`: is told after the commit, by the thread that writes: it must not wait for anything.
    func write<Value: Sendable>(
        bytes: Int = 0,
        _ work: @escaping @Sendable (Database) throws -> Value,
        reply: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let job = Job(
            run: { database in
                let value = try work(database)
                return { commitError in reply(commitError.map { .failure(Self.told($0)) } ?? .success(value)) }
            },
            fail: { reply(.failure(Self.told($0))) },
            callerBytes: WriteBackpressure.mayBeRefused ? bytes : nil
        )
        let addition = state.withLock { state -> Addition in
            guard state.takes(job, limits) else { return .isRefused }
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

    /// Has work done before all that is written from now on. It may have to wait for room on the disk, but nothing overtakes it.
    func writeFirst(_ work: @escaping @Sendable (Database) throws -> Void) async throws {
        state.withLock { $0.owed.append(work) }
        try await write { _ in }
    }

    /// An error as whoever asked is told it.
    private static func told(_ error: any Error) -> any Error { StoreError(ofDisk: error) ?? error }

    private func drain(into database: Database) {
        while let jobs = take() {
            switch commit(jobs, into: database) {
            case .over: break
            case .failedWork: commitEach(jobs, into: database)
            case .refused(let trouble): commitOwn(jobs, trouble, into: database)
            }
            state.withLock { state in for job in jobs { state.count(job, -1) } }
        }
    }

    private func take() -> [Job]? {
        state.withLock { state in
            guard !state.jobs.isEmpty else {
                state.isWriting = false
                return nil
            }
            let jobs = Array(state.jobs.prefix(Self.batch))
            state.jobs.removeFirst(jobs.count)
            return jobs
        }
    }

    /// Runs a transaction, with what is owed first.
    private func transaction(in database: Database, _ work: () throws -> Void) throws {
        let owed = state.withLock(\.owed)
        try database.inTransaction(.immediate) {
            try tokens.begin(in: database)
            try cids.begin(in: database)
            for work in owed { try work(database) }
            try work()
            return .commit
        }
        state.withLock { $0.owed.removeFirst(owed.count) }
    }

    /// All of them, without a savepoint: unless some work fails, which is rare, nothing else is needed.
    private func commit(_ jobs: [Job], into database: Database) -> Ending {
        var replies: [@Sendable ((any Error)?) -> Void] = []
        replies.reserveCapacity(jobs.count)
        do {
            try transaction(in: database) { for job in jobs { replies.append(try job.run(database)) } }
            tell(nil)
            for reply in replies { reply(nil) }
        } catch {
            tokens.undo(to: 0)
            if let trouble = StoreError(ofDisk: error) { return .refused(trouble) }
            guard replies.count == jobs.count else { return .failedWork }
            for reply in replies { reply(error) }
        }
        return .over
    }

    /// Where the disk does not take all, the service's own work is tried without that of callers, who can ask again.
    private func commitOwn(_ jobs: [Job], _ trouble: StoreError, into database: Database) {
        tell(trouble)
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

    /// Each behind a savepoint of its own.
    private func commitEach(_ jobs: [Job], into database: Database) {
        var replies: [@Sendable ((any Error)?) -> Void] = []
        do {
            try transaction(in: database) {
                for job in jobs {
                    // SQLite ends a transaction by itself when the disk is full; a savepoint would then begin one of its
                    // own, and commit what its caller is told has failed.
                    guard database.isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
                    replies.append(try attempt(job, in: database))
                }
            }
            tell(nil)
            for reply in replies { reply(nil) }
        } catch {
            tokens.undo(to: 0)
            if let trouble = StoreError(ofDisk: error) { tell(trouble) }
            for reply in replies { reply(error) }
            for job in jobs.dropFirst(replies.count) { job.fail(error) }
        }
    }

    /// - Throws: what the disk refuses: that ends the transaction for all.
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

    /// Says so when the disk begins to refuse writes, and when it takes them again.
    private func tell(_ trouble: StoreError?) {
        let isNew = state.withLock { state in
            defer { state.trouble = trouble }
            return (state.trouble == nil) != (trouble == nil)
        }
        if isNew { disk(trouble) }
    }
}
