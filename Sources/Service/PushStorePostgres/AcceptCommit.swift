import PostgresClient
import PushModel
import PushService
import Synchronization

/// Stores accepted pushes in transactions that requests share.
///
/// Requests that come during a transaction form the next one: a commit costs the same for one and for hundreds, and there is no timer. So
/// a node writes one transaction of accepts at a time. A failing request does not affect others: then each gets its own transaction. If
/// the connection is lost during a commit, the messages are looked up: a request is never answered as failed when it was stored.
final class AcceptCommit: Sendable {
    private struct Job: Sendable {
        var request: AcceptRequest
        var reply: @Sendable (Result<[StoredPush], any Error>) -> Void
        var bytes: Int
        /// Whether it may be refused when too many wait.
        var isCallers: Bool
    }

    private struct State {
        var jobs = WaitingJobs<Job>()
        var callers = 0
        var bytes = 0
    }

    /// The maximum number of requests in a transaction, so that the first does not wait too long.
    private static let batch = 512
    /// The maximum number of bytes of callers' requests that wait.
    private static let mostBytes = 64 * 1024 * 1024
    /// The first half of the keys of the nodes' locks; the node is the second.
    private static let lock: Int32 = 0x6163_6370

    private let pool: PostgresPool
    private let node: Int16
    private let callbacks: LocalWorkSignal
    private let mostCallers: Int
    private let state = Mutex(State())

    /// Creates the commits of a node. At most `mostCallers` requests of callers wait.
    init(_ pool: PostgresPool, node: Int16, callbacks: LocalWorkSignal, mostCallers: Int = 8192) {
        self.pool = pool
        self.node = node
        self.callbacks = callbacks
        self.mostCallers = mostCallers
    }

    /// Adds a request; `reply` is called after the commit and must not block.
    func add(_ request: AcceptRequest, reply: @escaping @Sendable (Result<[StoredPush], any Error>) -> Void) {
        let isCallers = WriteBackpressure.mayBeRefused
        let job = Job(request: request, reply: reply, bytes: request.bytes, isCallers: isCallers)
        let (isTaken, starts) = state.withLock { state -> (Bool, Bool) in
            let isFull = state.callers >= mostCallers || state.bytes + job.bytes > Self.mostBytes
            guard !isCallers || state.callers == 0 || !isFull else { return (false, false) }
            if isCallers {
                state.callers += 1
                state.bytes += job.bytes
            }
            return (true, state.jobs.add(job))
        }
        guard isTaken else { return reply(.failure(StoreError.busy)) }
        // Unstructured, because the caller gets its answer from the closure and does not wait; it ends when no request waits.
        if starts { Task { await drain() } }
    }

    private func drain() async {
        while let jobs = state.withLock({ $0.jobs.next(Self.batch) }) { await commit(jobs) }
    }

    /// Makes room for further requests, before these are answered: a caller that has its answer may send the next one.
    private func release(_ jobs: [Job]) {
        state.withLock { state in
            for job in jobs where job.isCallers {
                state.callers -= 1
                state.bytes -= job.bytes
            }
        }
    }

    private func commit(_ jobs: [Job]) async {
        do {
            try await store(jobs)
        } catch let error as StoreError {
            fail(jobs, with: error)
        } catch {
            guard jobs.count > 1 else { return fail(jobs, with: error) }
            for job in jobs { await commit([job]) }
        }
    }

    private func fail(_ jobs: [Job], with error: any Error) {
        release(jobs)
        for job in jobs { job.reply(.failure(error)) }
    }

    /// Stores requests in one transaction, and answers them.
    ///
    /// - Throws: ``StoreError`` if the server is away; an error of a statement otherwise. Then none is answered.
    private func store(_ jobs: [Job]) async throws {
        let node = node
        let requests = jobs.map(\.request)
        // Survives the loss of the connection during the commit.
        let computed = Mutex<Computed?>(nil)
        do {
            try await pool.transaction { connection in
                // Held until the server has ended the transaction, also after the connection is lost.
                Self.lock(node, in: connection)
                let session = StoreSession(connection, node: node)
                let results = try AcceptRequest.store(requests, node: node, in: session)
                let new = Computed(
                    results: results,
                    hasCallbackEvents: session.hasCallbackEvents,
                    process: connection.process
                )
                computed.withLock { $0 = new }
                return new
            } committed: { [self] in
                answer(jobs, with: $0)
            }
        } catch PostgresError.unknownOutcome(let detail) {
            guard let found = computed.withLock({ $0 }) else { throw StoreError.unavailable(detail) }
            let commit = UnknownCommit(process: found.process, detail: detail)
            let isStored = try await isStored(requests, as: found.results, by: commit)
            guard isStored else { throw StoreError.unavailable(detail) }
            answer(jobs, with: found)
        } catch let error as PostgresError { throw StoreError(error) ?? error }
    }

    /// The results of a transaction before its commit.
    private struct Computed: Sendable {
        var results: [[StoredPush]]
        var hasCallbackEvents: Bool
        var process: Int32
    }

    private func answer(_ jobs: [Job], with computed: Computed) {
        release(jobs)
        for (job, result) in zip(jobs, computed.results) { job.reply(.success(result)) }
        if computed.hasCallbackEvents { callbacks.raise() }
    }

    /// Returns whether a transaction was committed whose commit was not answered.
    ///
    /// - Throws: ``StoreError/unknownOutcome(_:)`` if the server cannot be asked.
    private func isStored(
        _ requests: [AcceptRequest],
        as results: [[StoredPush]],
        by commit: UnknownCommit
    ) async throws -> Bool {
        let stored = zip(requests, results).flatMap { request, result in request.stored(result) }
        // All of them repeat earlier ones: there was nothing to store.
        guard !stored.isEmpty else { return true }
        return try await commit.isStored(in: pool) { [node] connection in
            // Waits for the old transaction, which may still be committing.
            Self.lock(node, in: connection)
            return try !connection.execute("SELECT 1 FROM message WHERE id = ANY($1) LIMIT 1", .int64s(stored)).isEmpty
        }
    }
}

extension AcceptCommit {
    /// Takes the lock of a node's accepts until the transaction ends, before the next statement.
    private static func lock(_ node: Int16, in connection: PostgresConnection) {
        connection.queue("SELECT pg_advisory_xact_lock($1, $2)", .int32(lock), .int32(Int32(node)))
    }
}

extension AcceptRequest {
    /// The ids of the message rows that it writes with these results.
    fileprivate func stored(_ results: [StoredPush]) -> [Int64] {
        zip(pushes, results).compactMap { $0.withoutRepeated($1)?.message.id.number }
    }
}
