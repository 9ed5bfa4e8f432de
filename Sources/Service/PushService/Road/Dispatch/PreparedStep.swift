import PushClock
import PushModel

/// A step that can be sent: its badges are on disk. Only a ``StepSender`` makes one.
struct PreparedStep: Sendable {
    let step: LanePlan.Step

    fileprivate init(_ step: LanePlan.Step) { self.step = step }
}

// The preparation of a step.
extension StepSender {
    /// Prepares the next step of a plan, in which the stored badges are noted; nil if the task was cancelled.
    ///
    /// Each part is repeated by itself until the store accepts it: caps of topics and badges are counted once.
    func prepare(_ step: LanePlan.Step, of plan: inout LanePlan) async -> PreparedStep? {
        // Comes first: devices that do not get a push because of its topic get no new badge either.
        guard let step = await clock.retrying(logger, { try await restrain(step) }),
            await clock.retrying(logger, { try await storeBadges(of: step) }) != nil
        else { return nil }
        plan.storedBadges(of: step)
        return PreparedStep(step)
    }

    /// Finds the devices that do not get the pushes of a step, because an earlier push was opened there or because of their topics.
    private func restrain(_ step: LanePlan.Step) async throws -> LanePlan.Step {
        var step = step
        for index in step.parts.indices {
            let part = step.parts[index]
            var held: [DeviceOrdinal: SuppressionReason] = [:]
            if let message = part.leased.content.unlessOpened {
                let openers = try await store.openers(of: message, app: part.leased.app.id, among: part.ordinals)
                for ordinal in openers { held[ordinal] = .openedBefore }
            }
            if let topic = part.leased.content.topic {
                // No cap counts those that get nothing anyway.
                let ordinals = held.isEmpty ? part.ordinals : part.ordinals.filter { held[$0] == nil }
                let push = push(of: part.leased, for: topic, to: ordinals, at: clock.date)
                held.merge(try await store.restrain(push)) { $1 }
            } else if held.isEmpty {
                continue
            }
            step.parts[index].held = held
        }
        return step
    }

    /// Returns the places whose devices receive the push, now or later; only their badges are incremented.
    private func counted(_ places: [Int], of leased: LeasedChunk) -> [Int] {
        let ordinals = places.map { leased.chunk.ordinals.ordinals[$0] }
        guard let quiet = decisions(for: places, of: leased, ordinals: ordinals) else { return places }
        return places.indices.filter { if case .suppress = quiet[$0] { false } else { true } }.map { places[$0] }
    }

    /// Stores the new badges before any push of the step is sent, so that a repeated step does not increment them twice.
    ///
    /// Steps must be prepared one at a time and in order, because only the place that they have reached is stored.
    private func storeBadges(of step: LanePlan.Step) async throws {
        if let others {
            for part in step.parts where part.leased.content.channel == nil {
                try await others.lookUpTargets(part.ordinals, of: part.leased.app.id, part.leased.message.environment)
            }
        }
        var prepared: [BadgeUpdate] = []
        for part in step.parts where part.leased.content.changesBadges && part.leased.chunk.prepared < part.end {
            let leased = part.leased
            let all = leased.chunk.ordinals.ordinals
            let rest = part.places.filter { $0 >= leased.chunk.prepared && part.held?[all[$0]] == nil }
            let places = counted(rest, of: leased)
            let ordinals = places.map { leased.chunk.ordinals.ordinals[$0] }
            let targets = registry.targets(ordinals[...], of: leased.app.id, environment: leased.message.environment)
            let badges = zip(places, targets).compactMap { place, target in
                leased.content.composer(at: leased.contentPlace(place))?.badge.map {
                    (target.ordinal, $0.applied(to: target.badge))
                }
            }
            prepared.append(BadgeUpdate(leased.chunk, badges: badges, prepared: part.end))
        }
        guard let app = step.parts.first?.leased.app.id, !prepared.isEmpty else { return }
        let outdated = registry.apply(try await store.prepareBadges(prepared, app: app), of: app)
        if !outdated.isEmpty { registry.apply(try await store.devices(outdated, of: app)) }
    }

    /// Reads the tokens of Live Activities and for VoIP pushes, and the attributes for variables, that a step needs. Several steps may read
    /// at the same time.
    func readTokens(of step: LanePlan.Step) async throws -> LanePlan.Step {
        var step = step
        for index in step.parts.indices {
            let part = step.parts[index]
            let leased = part.leased
            if leased.content.hasVariables {
                let devices = OrdinalList(part.ordinals)
                step.parts[index].attributes = try await store.attributes(of: devices, app: leased.app.id)
            }
            guard let channel = leased.content.channel else { continue }
            step.parts[index].channelTokens = try await store.channelTokens(
                channel,
                of: part.ordinals,
                app: leased.app.id,
                leased.message.environment
            )
        }
        return step
    }
}
