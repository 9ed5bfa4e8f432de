import Foundation
import Logging
import PushClock
package import PushModel

extension PushAcceptor {
    /// Accepts the pushes of a batch with a single write. When this returns, successful pushes are on disk.
    ///
    /// - Returns: the answer for each entry, in order, as if it had been sent alone.
    package func accept(_ batch: PushBatch, for app: App) async throws -> [Result<PushResult, JPushError>] {
        let now = clock.date
        let cidsSince = cidsSince(now)
        var sorter = BatchSorter(batch, app: app, isFollowed: keepsEvents)
        if !sorter.candidates.isEmpty {
            try await others?.lookUp(sorter.candidates.lazy.map(\.push), of: app.id)
            let targets = registry.resolve(sorter.candidates.lazy.map(\.push), of: app.id, at: trustedTime.date)
            for (index, target) in targets.enumerated() {
                let candidate = sorter.candidates[index]
                do {
                    let options = candidate.push.options
                    try app.check(options, batch.text[batch.entries[candidate.place].range])
                    if options.needsStore { try await check(options, of: app, at: now, besides: sorter.paced) }
                    sorter.add(index, to: withholding(target, of: candidate.push, app))
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
        var pushes = sorter.batches(at: now)
        for single in sorter.singles {
            let push = try batch.push(at: single.place)
            pushes.append(try await makePush(push.request, body: push.body, of: single, for: app, at: now))
        }
        try await label(sorter.labels, of: app, at: now)
        if !pushes.isEmpty {
            let stored = try await write(pushes, cidsSince: cidsSince)
            for (push, stored) in zip(pushes, stored) { if let new = push.withoutRepeated(stored) { complete(new) } }
            sorter.complete(zip(pushes, stored).map { $0.results($1) })
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
}
