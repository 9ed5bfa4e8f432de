import GRDB
import Synchronization

/// Writes that share a commit.
///
/// What is asked for while a transaction runs goes into the next one together: syncing to disk costs the same for one write
/// and for a hundred, and nobody waits for a timer. Each piece of work has a savepoint of its own, so one that fails takes
/// nobody with it. `write` returns after the commit.
final class GroupCommit: Sendable {
    private struct Job: Sendable {
        /// Does its work, and gives back how to tell its caller: with the error of the commit, or nil.
        var run: @Sendable (Database) -> @Sendable ((any Error)?) -> Void
        /// Tells its caller that it did not run.
        var fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var isWriting = false
    }

    /// Jobs a transaction at most, so that the first of them does not wait for ever.
    private static let batch = 512

    private let database: DatabasePool
    private let tokens: TokenIndex
    private let state = Mutex(State())

    init(_ database: DatabasePool, tokens: TokenIndex) {
        self.database = database
        self.tokens = tokens
    }

    func write<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(
                run: { [self] database in
                    let result = attempt(work, in: database)
                    return { commitError in
                        continuation.resume(with: commitError.map { .failure($0) } ?? result)
                    }
                },
                fail: { continuation.resume(throwing: $0) }
            )
            let starts = state.withLock { state in
                state.jobs.append(job)
                defer { state.isWriting = true }
                return !state.isWriting
            }
            if starts { database.asyncWriteWithoutTransaction { [self] in drain(into: $0) } }
        }
    }

    private func attempt<Value>(
        _ work: (Database) throws -> Value,
        in database: Database
    ) -> Result<Value, any Error> {
        let mark = tokens.mark
        do {
            var value: Value?
            try database.inSavepoint {
                value = try work(database)
                return .commit
            }
            guard let value else { throw DatabaseError(message: "A savepoint ended without running its work.") }
            return .success(value)
        } catch {
            tokens.undo(to: mark)
            return .failure(error)
        }
    }

    private func drain(into database: Database) {
        while let jobs = take() {
            var replies: [@Sendable ((any Error)?) -> Void] = []
            do {
                try database.inTransaction(.immediate) {
                    try tokens.begin(in: database)
                    for job in jobs {
                        // SQLite ends a transaction by itself when the disk is full; a savepoint would then begin one of
                        // its own, and commit what its caller is told has failed.
                        guard database.isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
                        replies.append(job.run(database))
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
}
