import Foundation
import PushClock
package import PushModel

extension PushAcceptor {
    /// Accepts the pushes of a batch with a single write. When this returns, successful pushes are on disk.
    ///
    /// - Returns: the answer for each entry, in order, as if it had been sent alone.
    package func accept(_ batch: PushBatch, for app: App) async throws -> [Result<PushResult, JPushError>] {
        let now = clock.date
        let cidsSince = cidsSince(now)
        var sorter = BatchSorter(batch, app: app)
        if !sorter.candidates.isEmpty {
            try await others?.lookUp(sorter.candidates.lazy.map(\.push), of: app.id)
            let targets = registry.resolve(sorter.candidates.lazy.map(\.push), of: app.id, at: trustedTime.date)
            for (index, target) in targets.enumerated() {
                let candidate = sorter.candidates[index]
                do {
                    try await check(candidate.push.options, of: app, at: now, besides: sorter.paced)
                    sorter.add(index, to: target)
                } catch let error as JPushError {
                    sorter.results[candidate.place] = .failure(error)
                }
            }
            sorter.number(from: try await messageIDs.take(sorter.candidates.count))
        }
        // A repeat gets the first answer, whatever has happened to its target since.
        let failed = sorter.candidates.map(\.place).filter {
            if case .failure = sorter.results[$0] { true } else { false }
        }
        if !failed.isEmpty {
            let cids = failed.map { batch.entries[$0].cid }
            let firsts = try await store.results(ofCIDs: cids, app: app.id, since: cidsSince)
            for (place, first) in zip(failed, firsts) { if let first { sorter.results[place] = .success(first) } }
        }
        let batches = sorter.batches(at: now)
        var pushes: [PreparedPush] = []
        for single in sorter.singles {
            let push = try batch.push(at: single.place)
            pushes.append(try await makePush(push.request, body: push.body, of: single, for: app, at: now))
        }
        if !batches.isEmpty || !pushes.isEmpty {
            let kept = try await write(batches, pushes, cidsSince: cidsSince)
            for (stored, firsts) in zip(batches, kept.batched) { complete(stored, firsts, &sorter.results) }
            for (index, push) in pushes.enumerated() {
                sorter.results[sorter.singles[index].place] = .success(kept.single[index] ?? complete(push))
            }
        }
        return sorter.results.map { $0 ?? .failure(.internalError()) }
    }

    private func makePush(
        _ request: PushRequest,
        body: [UInt8],
        of single: BatchSorter.SinglePush,
        for app: App,
        at now: Date
    ) async throws -> PreparedPush {
        var resolution = single.resolution
        if let key = request.channelKey {
            let environment = request.options.environment
            resolution = try await resolve(key, among: resolution, of: app.id, environment: environment)
        }
        var push = makePush(request, body, id: single.id, for: app, at: now, resolution)
        push.voip = [try await voipPush(of: request, body, for: app, at: now, among: resolution)].compactMap(\.self)
        return push
    }

    /// Completes a batch that is on disk, except for delivering its custom messages, and sets its results. A push with an
    /// earlier message of the same cid has the result of that.
    func complete(
        _ stored: BatchSorter.StoredBatch,
        _ firsts: [PushResult?],
        _ results: inout [Result<PushResult, JPushError>?]
    ) {
        for (index, candidate) in stored.candidates.enumerated() {
            let entry = stored.batch.entries[index]
            results[candidate.place] = .success(firsts[index] ?? entry.result)
            if firsts[index] == nil { logAcceptance(of: entry.id, stored.batch.origin) }
        }
        guard stored.batch.chunkKind == .send else { return }
        laneRegistry.wake(stored.batch.lane)
        observe(stored.batch, besides: firsts)
    }

    private func observe(_ batch: MessageBatch, besides repeated: [PushResult?]) {
        guard let observer else { return }
        for (entry, first) in zip(batch.entries, repeated) where first == nil {
            let subject = JourneySubject.push(apnsID: apnsIDs.apnsID(of: entry.id, to: entry.ordinal).text)
            for kind in Chunk.Kind.send.opening {
                observer.record(.service(kind, at: batch.acceptedAt), of: subject)
            }
        }
    }
}
