import APNSTransport
import PushModel

extension APNSClient {
    /// Sends a batch and returns when every push has had its one result.
    ///
    /// Most pushes of a batch go out and are answered without a task of their own. What is not decided at the first attempt
    /// is tried again like a push by itself (``send(_:)-(APNSPush)``); what a lost connection never looked at goes to the
    /// next one.
    ///
    /// - Parameters:
    ///   - batch: the pushes. Run several batches at once to keep the connection busy between them.
    ///   - results: called again and again with what has been decided, in no particular order, on any thread. It has to be
    ///     quick: the connection waits for it.
    public func send(_ batch: APNSBatch, results: @escaping @Sendable ([APNSResult]) -> Void) async {
        var open: [Int] = []
        open.reserveCapacity(batch.count)
        var refused: [APNSResult] = []
        for index in 0..<batch.count {
            if let problem = problem(with: batch, at: index) {
                let outcome = APNSOutcome.refused(status: problem.reason.status, problem.reason, timestamp: nil)
                refused.append(APNSResult(index: index, outcome: outcome))
            } else {
                open.append(index)
            }
        }
        if !refused.isEmpty { results(refused) }
        let run = BatchRun(results: results)
        let number = desk.add(run)
        defer { desk.remove(number) }
        let deadline = stopwatch.elapsed + configuration.deadline
        var single: [Int] = []
        while !open.isEmpty {
            guard stopwatch.elapsed < deadline, !Task.isCancelled, let live = await connection(until: deadline),
                case .success(let token) = Result(catching: { try tokens?.token() })
            else {
                // By themselves they say why.
                single += open
                break
            }
            let rest = await round(batch, open, number, run, live, token)
            single += rest.failed
            open = rest.notProcessed
        }
        await sendSingly(batch, single, results)
    }

    private func connection(until deadline: Duration) async -> ConnectionKeeper.Live? {
        if case .success(let live) = await keeper.connection(until: deadline) { live } else { nil }
    }

    private func round(
        _ batch: APNSBatch,
        _ open: [Int],
        _ number: UInt64,
        _ run: BatchRun,
        _ live: ConnectionKeeper.Live,
        _ token: String?
    ) async -> BatchRun.Rest {
        var requests = batch.requests
        requests.heads = [heads.head(batch.key(token))]
        if open.count < requests.requests.count { requests.requests = open.map { batch.requests.requests[$0] } }
        for index in requests.requests.indices {
            requests.requests[index].tag = BatchDesk.tag(number, Int(requests.requests[index].tag))
        }
        run.begin(open.count)
        let watch = watch(run, live, number, progress: 0)
        live.connection.submit(requests)
        let rest = await withTaskCancellationHandler {
            await run.finish()
        } onCancel: {
            live.connection.abandon(BatchDesk.tags(number), reason: "the task was cancelled")
        }
        watch.stop()
        return rest
    }

    /// A connection on which nothing is answered any more may be dead without anybody having noticed.
    private func watch(
        _ run: BatchRun,
        _ live: ConnectionKeeper.Live,
        _ number: UInt64,
        progress: Int
    ) -> BatchWatch {
        let timeout = configuration.answerTimeout
        return BatchWatch(watchdog: watchdog, stopwatch: stopwatch, timeout: timeout, progress: { run.progress }) {
            self.keeper.retire(live, because: "no answer within \(timeout)")
            live.connection.abandon(BatchDesk.tags(number), reason: "no answer within \(timeout)")
        }
    }

    private func sendSingly(
        _ batch: APNSBatch,
        _ indices: [Int],
        _ results: @escaping @Sendable ([APNSResult]) -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for index in indices {
                if running >= configuration.maxInFlight { await group.next() } else { running += 1 }
                group.addTask { results([APNSResult(index: index, outcome: await self.send(batch[index]))]) }
            }
        }
    }
}

extension APNSBatch {
    func key(_ token: String?) -> HeadCache.Key {
        HeadCache.Key(
            token: token,
            topic: topic,
            pushType: pushType,
            priority: priority,
            expiration: expiration,
            collapseID: collapseID
        )
    }
}
