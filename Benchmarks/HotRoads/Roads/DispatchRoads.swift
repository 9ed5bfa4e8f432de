import Foundation
import PushClock
import PushModel
import PushService
import ServiceLifecycle

let dispatchRoads = [
    Road(name: "step", unit: "step of 500", house: "devices") { try await step($0) },
    Road(name: "checkpoint", unit: "checkpoint of a step", house: "devices") { try await checkpoint($0) },
]

private func push(to audience: String) -> [UInt8] {
    let alert = #"{"alert":"Good morning","badge":1,"sound":"default","extras":{"orderId":"1234"}}"#
    return Array(
        #"{"platform":["ios"],"audience":\#(audience),"notification":{"ios":\#(alert)},"options":{"apns_production":true}}"#
            .utf8
    )
}

/// The dispatcher with pushes to the same 500 devices, each of which is one step: leased, composed, handed to a stand-in for APNs
/// that accepts all of them at once, and reported to the store.
private func step(_ meter: Meter) async throws {
    let steps = 4
    let crowd = try await Crowd.shared.value
    let core = crowd.house.core
    try await meter.measure(units: steps) {
        var messages: [MessageID] = []
        for _ in 0..<steps {
            let audience = #"{"tag":["\#(Crowd.stepTag)"]}"#
            messages.append(try await core.acceptor.accept(push(to: audience), for: crowd.house.app).messageID)
        }
        return messages
    } _: { _ in
        let services = ServiceGroup(services: [core.dispatcher], logger: silence)
        async let end: Void = services.run()
        try await crowd.sender.pushes.wait(for: steps * LanePlan.stepSize)
        // Steps that have begun are finished.
        await services.triggerGracefulShutdown()
        try await end
    }
    let waiting = try await core.store.waiting(for: .onlyNode, at: crowd.house.clock.date)
    guard waiting.isEmpty else { throw UnexpectedAnswer("Some pushes still wait.") }
}

/// The store's part of a step: its outcomes in one transaction.
private func checkpoint(_ meter: Meter) async throws {
    let rounds = 20
    let crowd = try await Crowd.shared.value
    let (core, now) = (crowd.house.core, crowd.house.clock.date)
    _ = try await core.acceptor.accept(push(to: #""all""#), for: crowd.house.app)
    let claim = LeaseClaim(owner: .onlyNode, expiresAt: now.addingTimeInterval(3600))
    let lane = Lane(app: crowd.house.app.id, environment: .production, .bulk)
    guard let lease = try await core.store.lease(lane, at: now, claim, devices: LanePlan.window, besides: []),
        let chunk = lease.items.first?.chunk
    else { throw UnexpectedAnswer("There is no chunk to lease.") }
    let count = chunk.ordinals.ordinals.count
    var place = 0
    try await meter.measure(units: rounds) {
        for _ in 0..<rounds {
            let end = min(count, place + LanePlan.stepSize)
            var progress = ChunkProgress(chunk, cursor: end, at: now)
            progress.sent = PlaceSet(place..<end)
            var checkpoint = Checkpoint(lane.destination)
            checkpoint.chunks = [progress]
            let result = try await core.store.checkpoint(checkpoint, claim)
            guard result.findings.isEmpty else { throw UnexpectedAnswer("The lease is lost.") }
            place = end == count ? 0 : end
        }
    }
}

/// Stands for APNs: accepts every push at once.
final class CountingSender: PushSender {
    let pushes = Arrivals()

    func send(_ batch: SendBatch, for app: App, environment: APNSEnvironment) async -> SendOutcomes {
        var outcomes = SendOutcomes()
        for index in 0..<batch.count { outcomes.addSent(index) }
        pushes.add(batch.count)
        return outcomes
    }

    func connections() async -> [SenderConnections] { [] }
}
