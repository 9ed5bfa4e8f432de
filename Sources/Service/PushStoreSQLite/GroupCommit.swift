import GRDB
import Synchronization

/// Writes that share a commit.
///
/// What is asked for while a transaction runs goes into the next one together: syncing to disk costs the same for one write
/// and for a hundred, and nobody waits for a timer. A piece of work that fails takes nobody with it: the transaction runs again,
/// with a savepoint for each, so work may run twice and must do nothing but write to the database. Callers hear of their work
/// after the commit.
final class GroupCommit: Sendable {
    private struct Job: Sendable {
        /// Does its work, and gives back how to tell its caller: with the error of the commit, or nil.
        var run: @Sendable (Database) throws -> @Sendable ((any Error)?) -> Void
        /// Tells its caller that nothing of it was kept.
        var fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var isWriting = false
    }

    /// How a transaction ended that has no savepoints.
    private enum Ending { case over, failedWork }

    /// Jobs a transaction at most, so that the first of them does not wait for ever.
    private static let batch = 512

    private let database: DatabasePool
    private let tokens: TokenIndex
    private let cids: CIDIndex
    private let state = Mutex(State())

    init(_ database: DatabasePool, tokens: TokenIndex, cids: CIDIndex) {
        self.database = database
        self.tokens = tokens
        self.cids = cids
    }

    /// Returns after the commit.
    func write<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in write(work) { continuation.resume(with: $0) } }
    }

    /// * `reply`: is told after the commit, by the thread that writes: it must not wait for anything.
    func write<Value: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Value,
        reply: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let job = Job(
            run: { database in
                let value = try work(database)
                return { commitError in reply(commitError.map { .failure($0) } ?? .success(value)) }
            },
            fail: { reply(.failure($0)) }
        )
        let starts = state.withLock { state in
            state.jobs.append(job)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if starts { database.asyncWriteWithoutTransaction { [self] in drain(into: $0) } }
    }

    private func drain(into database: Database) {
        while let jobs = take() {
            if commit(jobs, into: database) == .failedWork { commitEach(jobs, into: database) }
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

    private func begin(in database: Database) throws {
        try tokens.begin(in: database)
        try cids.begin(in: database)
    }

    /// All of them, without a savepoint: unless some work fails, which is rare, nothing else is needed.
    private func commit(_ jobs: [Job], into database: Database) -> Ending {
        var replies: [@Sendable ((any Error)?) -> Void] = []
        replies.reserveCapacity(jobs.count)
        do {
            try database.inTransaction(.immediate) {
                try begin(in: database)
                for job in jobs { replies.append(try job.run(database)) }
                return .commit
            }
            for reply in replies { reply(nil) }
        } catch {
            tokens.undo(to: 0)
            guard replies.count == jobs.count else { return .failedWork }
            for reply in replies { reply(error) }
        }
        return .over
    }

    /// Each behind a savepoint of its own.
    private func commitEach(_ jobs: [Job], into database: Database) {
        var replies: [@Sendable ((any Error)?) -> Void] = []
        do {
            try database.inTransaction(.immediate) {
                try begin(in: database)
                for job in jobs {
                    // SQLite ends a transaction by itself when the disk is full; a savepoint would then begin one of its
                    // own, and commit what its caller is told has failed.
                    guard database.isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
                    replies.append(attempt(job, in: database))
                }
                return .commit
            }
            for reply in replies { reply(nil) }
        } catch {
            tokens.undo(to: 0)
            for reply in replies { reply(error) }
            for job in jobs.dropFirst(replies.count) { job.fail(error) }
        }
    }

    private func attempt(_ job: Job, in database: Database) -> @Sendable ((any Error)?) -> Void {
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
            tokens.undo(to: mark)
            return { commitError in job.fail(commitError ?? error) }
        }
    }
}
