import Foundation
import PushClock
package import PushModel

extension PushAcceptor {
    /// Resolves the audience of a push without waiting; nil if that requires the store or a scan of many devices, or if the push is
    /// invalid.
    package func prepareAtOnce(_ body: [UInt8], for app: App) -> PreparedPush? {
        guard let request = try? PushRequest(parsing: body), request.audience.namesDevices,
            request.platforms.contains(.ios), request.liveActivity == nil, request.voip == nil,
            !request.options.needsStore,
            let id = messageIDs.takeAtOnce()
        else { return nil }
        if let cid = request.cid, (try? app.key.check(cid: cid)) == nil { return nil }
        let now = clock.date
        let environment = request.options.environment
        let resolution = registry.resolve(request.audience, of: app.id, environment: environment, at: trustedTime.date)
        guard !resolution.isEmpty, others == nil || resolution.isAllReachable else { return nil }
        return makePush(request, body, id: id, for: app, at: now, resolution)
    }

    /// Resolves the audiences of a batch without waiting; nil if any push would have to wait, or if the batch contains an error.
    package func prepareAtOnce(_ batch: PushBatch, for app: App) -> PreparedBatch? {
        var sorter = BatchSorter(batch, app: app)
        guard sorter.candidates.count == batch.entries.count,
            sorter.candidates.allSatisfy({ !$0.push.options.needsStore })
        else { return nil }
        let now = clock.date
        let targets = registry.resolve(sorter.candidates.lazy.map(\.push), of: app.id, at: trustedTime.date)
        for (index, target) in targets.enumerated() { sorter.add(index, to: target) }
        guard !sorter.hasOthers, let first = messageIDs.takeAtOnce(sorter.candidates.count) else { return nil }
        sorter.number(from: first)
        return PreparedBatch(batch: batch, batches: sorter.batches(at: now))
    }

    /// Writes the pushes of several requests together.
    ///
    /// `reply` receives the results of each request when all of them are on disk. It is called by the writing thread and must not
    /// block. The results of a batch are in the order of its entries.
    package func write(
        _ requests: [PreparedRequest],
        reply: @escaping @Sendable ([Result<[PushResult], any Error>]) -> Void
    ) {
        let (pushes, batches) = (requests.flatMap(\.pushes), requests.flatMap(\.batches))
        let dates = pushes.lazy.map(\.message.acceptedAt) + batches.lazy.map(\.batch.acceptedAt)
        guard let earliest = dates.min() else { return reply([]) }
        let cidsSince = cidsSince(earliest)
        // Requests are read on an event loop, outside any task, so this task-local value is not set there.
        WriteBackpressure.$mayBeRefused.withValue(true) {
            write(batches, pushes, cidsSince: cidsSince) { result in
                switch result {
                case .success(let kept): reply(results(of: requests, kept))
                case .failure(let error) where requests.count == 1 || (error as? StoreError)?.retryAfter != nil:
                    reply(requests.map { _ in .failure(error) })
                case .failure: writeEach(requests[...], [], reply)
                }
            }
        }
    }

    private func results(of requests: [PreparedRequest], _ stored: StoredPushes) -> [Result<[PushResult], any Error>] {
        var (single, batched) = (stored.single[...], stored.batched[...])
        return requests.map { request in
            switch request {
            case .push(let push): return .success([single.removeFirst() ?? complete(push)])
            case .batch(let batch):
                var results = [Result<PushResult, JPushError>?](repeating: nil, count: batch.batch.entries.count)
                for stored in batch.batches { complete(stored, batched.removeFirst(), &results) }
                return Result { try results.map { try ($0 ?? .failure(.internalError())).get() } }
            }
        }
    }

    /// Writes requests one after the other, so that the failure of one, such as an app deleted meanwhile, does not affect others.
    private func writeEach(
        _ rest: ArraySlice<PreparedRequest>,
        _ results: [Result<[PushResult], any Error>],
        _ reply: @escaping @Sendable ([Result<[PushResult], any Error>]) -> Void
    ) {
        guard let request = rest.first else { return reply(results) }
        write([request]) { writeEach(rest.dropFirst(), results + $0, reply) }
    }
}

extension Audience {
    /// Whether the audience names its devices by registration id or alias, so that only those are examined.
    fileprivate var namesDevices: Bool {
        guard case .filter(let filter) = self else { return false }
        return !filter.registrationIDs.isEmpty || !filter.aliases.isEmpty
    }
}
