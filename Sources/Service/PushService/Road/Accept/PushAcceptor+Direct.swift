import PushClock
import PushModel

extension PushAcceptor {
    /// Resolves the audience of a push without waiting; nil if that requires the store or a scan of many devices, or if the push is
    /// invalid.
    package func prepareAtOnce(_ body: [UInt8], for app: App) -> PreparedPush? {
        guard let request = try? PushRequest(parsing: body), request.audience.namesDevices,
            request.platforms.contains(.ios), request.liveActivity == nil, request.voip == nil,
            !request.options.needsStore, request.ignored.isEmpty, let id = messageIDs.takeAtOnce()
        else { return nil }
        if let cid = request.cid, (try? app.key.check(cid: cid)) == nil { return nil }
        let now = clock.date
        let environment = request.options.environment
        let date = trustedTime.date
        var resolution = registry.resolve(request.audience, of: app.id, environment: environment, at: date)
        withhold(request, from: &resolution, file: nil, of: app)
        guard !resolution.reachesNobody(request.isForAPNs), others == nil || resolution.isAllReachable else {
            return nil
        }
        return makePush(request, body, id: id, for: app, at: now, resolution)
    }

    /// Writes pushes together.
    ///
    /// `reply` receives the result of each when all of them are on disk. It is called by the writing thread and must not block.
    package func write(_ pushes: [PreparedPush], reply: @escaping @Sendable ([Result<PushResult, any Error>]) -> Void) {
        guard let earliest = pushes.indices.lazy.map({ pushes[$0].message.acceptedAt }).min() else { return reply([]) }
        let cidsSince = cidsSince(earliest)
        // Requests are read on an event loop, outside any task, so this task-local value is not set there.
        WriteBackpressure.$mayBeRefused.withValue(true) {
            write(pushes, cidsSince: cidsSince) { result in
                switch result {
                case .success(let stored):
                    reply(pushes.indices.map { .success(stored[$0].earlier ?? complete(pushes[$0])) })
                case .failure(let error) where pushes.count == 1 || (error as? StoreError)?.retryAfter != nil:
                    reply(pushes.map { _ in .failure(error) })
                case .failure: writeEach(pushes[...], after: [], reply)
                }
            }
        }
    }

    /// Writes pushes one after the other, so that the failure of one, such as an app deleted meanwhile, does not affect others.
    private func writeEach(
        _ rest: ArraySlice<PreparedPush>,
        after results: [Result<PushResult, any Error>],
        _ reply: @escaping @Sendable ([Result<PushResult, any Error>]) -> Void
    ) {
        guard let push = rest.first else { return reply(results) }
        write([push]) { writeEach(rest.dropFirst(), after: results + $0, reply) }
    }
}

extension Audience {
    /// Whether the audience names its devices by registration id or alias, so that only those are examined.
    fileprivate var namesDevices: Bool {
        guard case .filter(let filter) = self else { return false }
        return !filter.dependsOnPast && (!filter.registrationIDs.isEmpty || !filter.aliases.isEmpty)
    }
}
