import GRDB
import Synchronization

/// Writes that share a commit.
///
/// What is asked for while a transaction runs goes into the next one together: syncing to disk costs the same for one write
/// and for a hundred, and nobody waits for a timer. Each piece of work has a savepoint of its own, so one that fails takes
/// nobody with it. `write` returns after the commit.
final class GroupCommit: Sendable {
    /// Does its work, and gives back how to tell its caller: with the error of the commit, or nil.
    private typealias Job = @Sendable (Database) -> @Sendable ((any Error)?) -> Void

    private struct State {
        var jobs: [Job] = []
        var isWriting = false
    }

    /// Jobs a transaction at most, so that the first of them does not wait for ever.
    private static let batch = 512

    private let database: DatabasePool
    private let state = Mutex(State())

    init(_ database: DatabasePool) { self.database = database }

    func write<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let job: Job = { database in
                let result = Self.attempt(work, in: database)
                return { commitError in
                    continuation.resume(with: commitError.map { .failure($0) } ?? result)
                }
            }
            let starts = state.withLock { state in
                state.jobs.append(job)
                defer { state.isWriting = true }
                return !state.isWriting
            }
            if starts { database.asyncWriteWithoutTransaction { [self] in drain(into: $0) } }
        }
    }

    private static func attempt<Value>(
        _ work: (Database) throws -> Value,
        in database: Database
    ) -> Result<Value, any Error> {
        do {
            var value: Value?
            try database.inSavepoint {
                value = try work(database)
                return .commit
            }
            guard let value else { throw DatabaseError(message: "A savepoint ended without running its work.") }
            return .success(value)
        } catch {
            return .failure(error)
        }
    }

    private func drain(into database: Database) {
        while let jobs = take() {
            var replies: [@Sendable ((any Error)?) -> Void] = []
            do {
                try database.inTransaction(.immediate) {
                    replies = jobs.map { $0(database) }
                    return .commit
                }
                for reply in replies { reply(nil) }
            } catch {
                // Began, but did not commit: everybody hears why. Did not begin: nobody has run, so run to be able to tell.
                if replies.isEmpty { replies = jobs.map { $0(database) } }
                for reply in replies { reply(error) }
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
