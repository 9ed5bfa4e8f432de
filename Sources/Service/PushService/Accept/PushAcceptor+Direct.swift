import Foundation
import PushClock
import PushModel

extension PushAcceptor {
    /// Finds out to whom a push goes, without waiting for anything; nil where that asks the store or walks through many
    /// devices, and for a push with anything wrong about it.
    package func prepareAtOnce(_ body: [UInt8], for app: App) -> PreparedPush? {
        guard let request = try? PushRequest(parsing: body), request.audience.namesDevices,
            request.platforms.contains(.ios), request.options.overriddenMessage == nil,
            request.options.pacedMinutes == 0, let id = messageIDs.takeAtOnce()
        else { return nil }
        if let cid = request.cid, (try? app.key.check(cid: cid)) == nil { return nil }
        let now = clock.date
        let environment = request.options.environment
        let resolution = registry.resolve(request.audience, of: app.id, environment: environment, at: now)
        return resolution.isEmpty ? nil : prepared(request, body, id: id, for: app, at: now, resolution)
    }

    /// Writes pushes to a few devices each together; `reply` hears of each when they are on disk, from the thread that writes:
    /// it must not wait.
    package func keep(
        _ pushes: [PreparedPush],
        reply: @escaping @Sendable ([Result<PushResult, any Error>]) -> Void
    ) {
        guard let earliest = pushes.map(\.message.acceptedAt).min() else { return reply([]) }
        let cidsSince = earliest.addingTimeInterval(-Double(JPushLimits.cidLifetime))
        keep([], pushes, cidsSince: cidsSince) { result in
            switch result {
            case .success(let kept):
                reply(zip(pushes, kept.single).map { push, first in .success(first ?? accepted(push)) })
            case .failure(let error) where pushes.count == 1: reply([.failure(error)])
            case .failure: keepEach(pushes[...], [], reply)
            }
        }
    }

    /// One after the other: what fails for one, such as an app that was deleted meanwhile, is to cost no other.
    private func keepEach(
        _ rest: ArraySlice<PreparedPush>,
        _ results: [Result<PushResult, any Error>],
        _ reply: @escaping @Sendable ([Result<PushResult, any Error>]) -> Void
    ) {
        guard let push = rest.first else { return reply(results) }
        keep([push]) { keepEach(rest.dropFirst(), results + $0, reply) }
    }
}

extension Audience {
    /// Whether it calls devices by name, so that only those are looked at.
    fileprivate var namesDevices: Bool {
        guard case .filter(let filter) = self else { return false }
        return !filter.registrationIDs.isEmpty || !filter.aliases.isEmpty
    }
}
