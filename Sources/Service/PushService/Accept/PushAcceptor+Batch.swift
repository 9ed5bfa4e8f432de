import Foundation
import PushClock
package import PushModel

extension PushAcceptor {
    package typealias BatchAnswer = (cid: String, result: Result<PushResult, JPushError>)

    /// Takes the pushes of a batch with one write for all. When this returns those that have a result are on disk.
    ///
    /// - Returns: an answer for each entry, in their order: the one that it would have had alone.
    package func accept(_ batch: PushBatch, for app: App) async throws -> [BatchAnswer] {
        let now = clock.date
        let cidsSince = now.addingTimeInterval(-Double(JPushLimits.cidLifetime))
        var results: [Result<PushResult, JPushError>?] = []
        results.reserveCapacity(batch.entries.count)
        var candidates: [(place: Int, push: BatchPush)] = []
        candidates.reserveCapacity(batch.entries.count)
        for entry in batch.entries {
            switch entry.push.flatMap({ push in Self.check(cid: entry.cid, of: app).map { push } }) {
            case .success(let push):
                candidates.append((results.count, push))
                results.append(nil)
            case .failure(let error): results.append(.failure(error))
            }
        }
        let (places, pushes) = try await prepare(candidates, for: app, at: now, &results)
        for (place, push) in candidates {
            // A repeat has the first answer, whatever has become of its target since.
            guard case .failure = results[place], let cid = push.request.cid,
                let first = try await store.result(ofCID: cid, app: app.id, since: cidsSince)
            else { continue }
            results[place] = .success(first)
        }
        if !pushes.isEmpty {
            let firsts = try await store.accept(pushes, cidsSince: cidsSince)
            for index in pushes.indices {
                let first = firsts[index]
                results[places[index]] = .success(first ?? pushes[index].result)
                if first == nil { observe(pushes[index].message, pushes[index].chunks) }
            }
            for lane in Set(pushes.lazy.map(\.message.lane)) { board.accepted(in: lane) }
        }
        return zip(batch.entries, results).map { entry, result in
            (entry.cid, result ?? .failure(.internalError()))
        }
    }

    private static func check(cid: String, of app: App) -> Result<Void, JPushError> {
        Result { () throws(JPushError) in try app.key.check(cid: cid) }
    }

    /// Finds out what can be done for each; what cannot be taken is told in `results`.
    ///
    /// - Returns: what can be taken, and where in the batch it stands.
    private func prepare(
        _ candidates: [(place: Int, push: BatchPush)],
        for app: App,
        at now: Date,
        _ results: inout [Result<PushResult, JPushError>?]
    ) async throws -> (places: [Int], pushes: [PreparedPush]) {
        guard !candidates.isEmpty else { return ([], []) }
        var id = try await messageIDs.take(candidates.count)
        let resolutions = registry.resolve(candidates.map(\.push), of: app.id, at: now)
        var places: [Int] = []
        places.reserveCapacity(candidates.count)
        var pushes: [PreparedPush] = []
        pushes.reserveCapacity(candidates.count)
        var paced = 0
        for (candidate, resolution) in zip(candidates, resolutions) {
            let (place, request) = (candidate.place, candidate.push.request)
            defer { id.number += 1 }
            let isPaced = request.options.pacedMinutes > 0
            do {
                try await check(request.options, of: app, at: now, besides: paced)
                guard !resolution.isEmpty else { throw JPushError.noTarget(id) }
            } catch let error as JPushError {
                results[place] = .failure(error)
                continue
            }
            if isPaced { paced += 1 }
            places.append(place)
            pushes.append(prepared(request, candidate.push.body, id: id, for: app, at: now, resolution))
        }
        return (places, pushes)
    }
}
