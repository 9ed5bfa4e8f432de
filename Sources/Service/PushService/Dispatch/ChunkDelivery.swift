import Foundation
import Logging
import PushClock
import PushModel
import ServiceLifecycle

/// Carries one chunk through: step by step, with a checkpoint after each.
///
/// A crash repeats at most one step. The repeated pushes carry the same apns-ids, by which Posthorn's gateway drops them;
/// Apple documents no such thing, so there the bound on duplicates is ``stepSize`` for each chunk under way.
package struct ChunkDelivery: Sendable {
    /// Devices a step.
    package static let stepSize = 500

    let store: any PushStore
    let registry: Registry
    let sender: any PushSender
    let clock: any CivilClock
    let apnsIDs: APNsIDCodec
    let observer: (any JourneySink)?
    let logger: Logger

    func deliver(_ leased: Chunk, of message: Message, _ progress: LeaseProgress) async throws {
        var chunk = leased
        guard let app = registry.app(message.app) else {
            // The app was made by another process after start, or deleted: its devices cannot be known here.
            return try await close(&chunk, of: message, as: .expired)
        }
        // What falls due when its time is over already (time to live 0, or paced) has one attempt all the same.
        let isUntried = chunk.cursor == 0 && chunk.problem == nil && chunk.sent.count == 0
        let isOwedAnAttempt = isUntried && chunk.dueAt >= message.expiresAt
        guard isOwedAnAttempt || clock.date < message.expiresAt else {
            return try await close(&chunk, of: message, as: .expired)
        }
        let expiresAt =
            isOwedAnAttempt ? chunk.dueAt.addingTimeInterval(Double(message.timeToLive)) : message.expiresAt
        let content = ChunkContent(of: message, expiresAt: expiresAt, app: app, apnsIDs: apnsIDs) { id, error in
            logger.error("A stored message cannot be read", metadata: ["push.id": "\(id)", "error": "\(error)"])
        }
        if message.batch == nil, content.composer(at: 0) == nil {
            return try await close(&chunk, of: message, as: .suppressed(.badPayload))
        }
        // After graceful shutdown the lease stays on disk, and is forgotten at the next start.
        while chunk.cursor < chunk.ordinals.ordinals.count, !Task.isShuttingDownGracefully {
            let step = try await deliverStep(of: &chunk, message, app, content, progress)
            guard step == .done else { return }
        }
    }

    private enum StepEnding { case done, stopped }

    private func deliverStep(
        of chunk: inout Chunk,
        _ message: Message,
        _ app: App,
        _ content: ChunkContent,
        _ progress: LeaseProgress
    ) async throws -> StepEnding {
        // After a pause one push finds out whether the credential is believed again.
        let size = if case .paused = chunk.problem { 1 } else { Self.stepSize }
        let end = min(chunk.cursor + size, chunk.ordinals.ordinals.count)
        try await prepareBadges(of: &chunk, through: end, app, content)
        let places = (chunk.cursor..<end).filter { !chunk.sent.contains($0) && !chunk.settled.contains($0) }
        let ordinals = places.map { chunk.ordinals.ordinals[$0] }
        let targets = registry.targets(ordinals[...], of: app.id, environment: message.environment)
        let outcomes = await send(targets, at: places, message, app, content)
        var report = StepReport(now: clock.date, app: app.id)
        for (index, place) in places.enumerated() {
            let id = content.message(at: place)
            guard content.composer(at: place) != nil else {
                report.suppress(id, to: targets[index].ordinal, at: place, in: &chunk)
                continue
            }
            report.add(outcomes[index], of: id, to: targets[index], at: place, in: &chunk)
        }
        report.finish(&chunk, through: end)
        warn(of: report, app, message, progress)
        if let pause = report.pause { try await store.pause(app.id, message.environment, pause) }
        let checkpoint = try await store.checkpoint(
            chunk,
            releases: report.stops || chunk.isDone,
            exceptions: report.exceptions,
            deadTokens: report.deadTokens
        )
        registry.apply(checkpoint.devices)
        if message.batch != nil {
            let withdrawn = rest(of: chunk, message) { checkpoint.settled.contains($0) }
            chunk.settled = checkpoint.settled
            observe(withdrawn, as: .withdrawn, at: report.now)
        }
        observe(report.observations, at: report.now)
        if report.pause == nil, report.sentCount > 0, progress.succeeded() {
            try await store.resume(app.id, message.environment)
        }
        guard !checkpoint.isWithdrawn else {
            observe(rest(of: chunk, message) { _ in true }, as: .withdrawn, at: report.now)
            return .stopped
        }
        return report.stops ? .stopped : .done
    }

    private func warn(of report: StepReport, _ app: App, _ message: Message, _ progress: LeaseProgress) {
        let facts: Logger.Metadata = ["app.key": "\(app.key)", "apns.environment": "\(message.environment)"]
        if let pause = report.pause {
            guard progress.isFirst(.credential) else { return }
            logger.warning(
                "An app's pushes wait: its APNs credential is missing or refused",
                metadata: facts.merging(["apns.reason": "\(pause.detail)"]) { $1 }
            )
        } else if let trouble = report.trouble, progress.isFirst(.connection) {
            logger.warning(
                "APNs cannot be reached; pushes are tried again",
                metadata: facts.merging(["error": "\(trouble)"]) { $1 }
            )
        }
    }

    /// Counts badges up on disk before any push of the step leaves, so that a repeated step does not count twice.
    private func prepareBadges(
        of chunk: inout Chunk,
        through end: Int,
        _ app: App,
        _ content: ChunkContent
    ) async throws {
        guard content.changesBadges, chunk.prepared < end else { return }
        let places = (max(chunk.prepared, chunk.cursor)..<end).filter {
            !chunk.sent.contains($0) && !chunk.settled.contains($0)
        }
        let ordinals = places.map { chunk.ordinals.ordinals[$0] }
        let targets = registry.targets(ordinals[...], of: app.id, environment: .production)
        let badges = zip(places, targets).compactMap { place, target in
            content.composer(at: place)?.badge.map { (target.ordinal, $0.applied(to: target.badge)) }
        }
        registry.apply(try await store.prepareBadges(badges, app: app.id, chunk: chunk.id, prepared: end))
        chunk.prepared = end
    }

    /// One outcome a target, in their order; nil where there is no token any more.
    private func send(
        _ targets: Targets,
        at places: [Int],
        _ message: Message,
        _ app: App,
        _ content: ChunkContent
    ) async -> [SendOutcome?] {
        await withTaskGroup(of: (Int, SendOutcome).self) { group in
            var outcomes = [SendOutcome?](repeating: nil, count: targets.count)
            for (index, target) in targets.enumerated() {
                guard let push = content.composer(at: places[index])?.push(to: target) else { continue }
                group.addTask { (index, await sender.send(push, for: app, environment: message.environment)) }
            }
            for await (index, outcome) in group { outcomes[index] = outcome }
            return outcomes
        }
    }

    /// Ends a chunk whose rest will not be sent.
    private func close(_ chunk: inout Chunk, of message: Message, as kind: JourneyEvent.Kind) async throws {
        chunk.problem = kind
        chunk.isDone = true
        chunk.updatedAt = clock.date
        let checkpoint = try await store.checkpoint(chunk, releases: true, exceptions: [], deadTokens: [])
        let kind = checkpoint.isWithdrawn ? .withdrawn : kind
        observe(rest(of: chunk, message) { _ in true }, as: kind, at: clock.date)
    }

    /// The pushes that have had neither an answer nor a refusal, as far as their places are wanted.
    private func rest(of chunk: Chunk, _ message: Message, at isWanted: (Int) -> Bool) -> [StepReport.Push] {
        chunk.placesLeft.filter(isWanted).map { place in
            StepReport.Push(
                message: message.batch?.entries[place].id ?? message.id,
                ordinal: chunk.ordinals.ordinals[place]
            )
        }
    }

    private func observe(_ pushes: [StepReport.Push], as kind: JourneyEvent.Kind, at date: Date) {
        observe(pushes.map { ($0, kind) }, at: date)
    }

    private func observe(_ events: [(StepReport.Push, JourneyEvent.Kind)], at date: Date) {
        guard let observer else { return }
        for (push, kind) in events {
            observer.record(
                JourneyEvent(date: date, station: .service, kind: kind),
                of: .push(apnsID: apnsIDs.apnsID(of: push.message, to: push.ordinal))
            )
        }
    }
}
