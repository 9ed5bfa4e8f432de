import APNSTransport
import PushModel
import Synchronization

extension APNSClient {
    /// Sends a batch and returns when every push has its one result.
    ///
    /// Most pushes of a batch are sent and answered without a task of their own. A push that is undecided after the first
    /// attempt is retried like a single push (``send(_:within:)``); a push that a lost connection has not processed goes to the
    /// next connection.
    ///
    /// - Parameters:
    ///   - batch: the pushes. Run several batches at once to keep the connection busy between them.
    ///   - pausing: whether pushes that APNs asks to retry later (429, 500, 503) are retried here after a pause. If false, they end
    ///     as ``APNSOutcome/failed(_:)`` at once, for callers that store their pushes on disk; pushes that can be sent again
    ///     without a pause still are.
    ///   - results: called repeatedly with new results, in no particular order, on any thread. It must be quick: the connection
    ///     waits for it.
    public func send(
        _ batch: APNSBatch,
        pausing: Bool = true,
        results: @escaping @Sendable ([APNSResult]) -> Void
    ) async {
        await engine.send(batch, pausing: pausing, problem: problem(with:at:), results: results)
    }
}

extension PushEngine {
    private typealias Failed = (index: Int, attempts: Attempts, next: Attempts.Again?)

    /// `problem` returns the error with which APNs would refuse a push of the batch.
    func send(
        _ batch: APNSBatch,
        pausing: Bool,
        problem: (APNSBatch, Int) -> APNSPushProblem?,
        results: @escaping @Sendable ([APNSResult]) -> Void
    ) async {
        var open = sift(batch, problem: problem, results: results)
        guard begin() else {
            let outcome = APNSOutcome.failed("The client was shut down.")
            return results(open.map { APNSResult(index: $0, outcome: outcome) })
        }
        defer { end() }
        let start = time.elapsed
        let deadline = start + configuration.deadline
        let expiries = batch.headers.map { headers in headers.values.expiration.map { moment($0, start) } }
        let fresh = { @Sendable (index: Int) in
            let expiry = expiries[batch.requests.requests[index].head]
            return Attempts(deadline: deadline, expiry: expiry, mayPause: pausing)
        }
        var failed: [Failed] = []
        while !open.isEmpty, !Task.isCancelled, time.elapsed < deadline {
            guard let rest = await round(batch, open: open, fresh: fresh, results: results) else {
                if await connection(until: deadline) { continue }
                break
            }
            failed += rest.failed.map { ($0.index, $0.attempts, $0.next) }
            open = rest.notProcessed
        }
        if !open.isEmpty { failed += turnAway(open, results).map { ($0, fresh($0), nil) } }
        await sendSingly(failed, of: batch, results: results)
    }

    /// Ends pushes that no connection has taken.
    ///
    /// - Returns: the push that tests whether the credential is valid again, if a test is due.
    private func turnAway(_ open: [Int], _ results: @escaping @Sendable ([APNSResult]) -> Void) -> ArraySlice<Int> {
        let now = time.elapsed
        let (outcome, trials) = state.withLock { state -> (APNSOutcome, Int) in
            if Task.isCancelled { return (Self.cancelled, 0) }
            if let refusal = state.gate.refusal { return (refusal, state.gate.isTrialDue(at: now) ? 1 : 0) }
            do { _ = try state.tokens.token(at: now) } catch {
                return (.failed("No provider token could be signed: \(error)."), 0)
            }
            let peer = "\(endpoint.host):\(endpoint.port)"
            return (.failed("No connection to \(peer) in time: \(state.pool.lastError)."), 0)
        }
        let ended = open.dropFirst(trials).map { APNSResult(index: $0, outcome: outcome) }
        for result in ended { metrics.ended(result.outcome) }
        if !ended.isEmpty { results(ended) }
        return open.prefix(trials)
    }

    /// Refuses the pushes that APNs would refuse.
    private func sift(
        _ batch: APNSBatch,
        problem: (APNSBatch, Int) -> APNSPushProblem?,
        results: ([APNSResult]) -> Void
    ) -> [Int] {
        var open: [Int] = []
        open.reserveCapacity(batch.count)
        var refused: [APNSResult] = []
        for index in 0..<batch.count {
            if let problem = problem(batch, index) {
                let outcome = APNSOutcome.refused(status: problem.reason.status, problem.reason, timestamp: nil)
                refused.append(APNSResult(index: index, outcome: outcome))
            } else {
                open.append(index)
            }
        }
        if !refused.isEmpty { results(refused) }
        return open
    }

    private func begin() -> Bool {
        state.withLock { state in
            if !state.isClosing { state.batches += 1 }
            return !state.isClosing
        }
    }

    private func end() {
        let now = time.elapsed
        change { state in
            state.batches -= 1
            settle(&state, at: now)
        }
    }

    /// Waits for a connection.
    ///
    /// - Returns: false if waiting is useless: the credential is refused, or cannot sign.
    private func connection(until moment: Duration) async -> Bool {
        let ticket = tickets.wrappingAdd(1, ordering: .relaxed).newValue
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isOver = change { state in
                    if state.pool.liveCount > 0 || Task.isCancelled || !state.gate.isOpen { return true }
                    state.waitingBatches[ticket] = WaitingBatch(waiter: waiter, moment: moment)
                    obey(state.pool.fill(), &state)
                    watch(moment, &state)
                    return false
                }
                if isOver { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.waitingBatches.removeValue(forKey: ticket) }?.waiter.resume()
        }
        let now = time.elapsed
        return state.withLock { state in
            guard state.gate.isOpen, case .success = Result(catching: { try state.tokens.token(at: now) })
            else { return false }
            return true
        }
    }

    /// Makes one attempt for all open pushes.
    ///
    /// - Returns: the remaining pushes; nil if nothing can be sent now.
    private func round(
        _ batch: APNSBatch,
        open: [Int],
        fresh: @escaping @Sendable (Int) -> Attempts,
        results: @escaping @Sendable ([APNSResult]) -> Void
    ) async -> BatchRun.Rest? {
        let plan = state.withLock { state -> (number: UInt64, run: BatchRun, shares: [ConnectionShare])? in
            let now = time.elapsed
            guard state.gate.isOpen,
                case .success(let token) = Result(catching: { try state.tokens.token(at: now) })
            else { return nil }
            let heads = batch.headers.map { state.heads.head($0.head, token) }
            guard let shares = shares(batch, open: open, heads: heads, state) else { return nil }
            state.runNumber = (state.runNumber + 1) & 0x3FFF_FFFF
            let run = BatchRun(count: open.count, tokenNumber: token?.number ?? 0, fresh: fresh) { [metrics] ready in
                metrics.accepted(ready.count { $0.outcome == .accepted })
                for result in ready where result.outcome != .accepted { metrics.ended(result.outcome) }
                results(ready)
            }
            let moment = now + configuration.answerTimeout
            state.runs[state.runNumber] = Run(run: run, links: shares.map(\.link), moment: moment)
            watch(moment, &state)
            return (state.runNumber, run, shares)
        }
        guard let (number, run, shares) = plan else { return nil }
        for var share in shares {
            for place in share.requests.requests.indices {
                let index = Int(share.requests.requests[place].tag)
                share.requests.requests[place].tag = BatchRun.tag(number, index)
            }
            share.link.connection.submit(share.requests)
        }
        let rest = await withTaskCancellationHandler {
            await run.finish()
        } onCancel: {
            for share in shares {
                share.link.connection.abandon(BatchRun.tags(number), reason: Self.cancellation)
            }
        }
        forget(number)
        return rest
    }

    private func forget(_ run: UInt64) {
        let now = time.elapsed
        change { state in
            state.runs[run] = nil
            settle(&state, at: now)
        }
    }

    /// The pushes of a batch that are sent over one connection.
    private struct ConnectionShare: Sendable {
        var link: Link
        var requests: HTTP2RequestBatch
    }

    /// Spreads the pushes over the connections by token, like single pushes.
    ///
    /// - Returns: nil if there is no connection.
    private func shares(
        _ batch: APNSBatch,
        open: [Int],
        heads: [HTTP2RequestHead],
        _ state: State
    ) -> [ConnectionShare]? {
        var requests = batch.requests
        requests.heads = heads
        if state.pool.seatCount == 1 {
            guard let number = state.pool.route({ 0 }), let link = state.links.first(where: { $0.number == number })
            else { return nil }
            if open.count < batch.count { requests.requests = open.map { batch.requests.requests[$0] } }
            return [ConnectionShare(link: link, requests: requests)]
        }
        var parts: [Int: [HTTP2RequestBatch.Request]] = [:]
        for index in open {
            let request = batch.requests.requests[index]
            let digits = batch.requests.bytes[request.path].dropFirst(APNSBatch.path.count)
            guard let number = state.pool.route({ TokenHash.of(digits: digits) }) else { return nil }
            parts[number, default: []].append(request)
        }
        return parts.compactMap { number, part in
            guard let link = state.links.first(where: { $0.number == number }) else { return nil }
            requests.requests = part
            return ConnectionShare(link: link, requests: requests)
        }
    }

    private func sendSingly(
        _ failed: [Failed],
        of batch: APNSBatch,
        results: @escaping @Sendable ([APNSResult]) -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for (index, attempts, next) in failed {
                if running >= configuration.maxInFlight { await group.next() } else { running += 1 }
                group.addTask {
                    let ending = await self.send(batch[index], earlier: (attempts, next))
                    results([ending.result(at: index)])
                }
            }
        }
    }
}
