import Foundation
import PushClock
import PushModel
import PushService
import ServiceLifecycle

let dispatchRoads = [
    Road(name: "step", unit: "step of 500", house: "devices") { try await step($0) },
    Road(name: "step_variables", unit: "step of 500", house: "rows") { try await stepVariables($0) },
    Road(name: "step_badges", unit: "step of 500", house: "rows") { try await stepBadges($0) },
    Road(name: "checkpoint", unit: "checkpoint of a step", house: "devices") { try await checkpoint($0) },
]

private func push(to audience: String, alert: String = "Good morning", badge: String = #""badge":1,"#) -> [UInt8] {
    let alert = #"{"alert":"\#(alert)",\#(badge)"sound":"default","extras":{"orderId":"1234"}}"#
    return Array(
        #"{"platform":["ios"],"audience":\#(audience),"notification":{"ios":\#(alert)},"options":{"apns_production":true}}"#
            .utf8
    )
}

/// The dispatcher with pushes to the same 500 devices, each of which is one step: leased, composed, handed to a stand-in for APNs
/// that accepts all of them at once, and reported to the store.
private func step(_ meter: Meter) async throws {
    let crowd = try await Crowd.shared.value
    let body = push(to: #"{"tag":["\#(Crowd.stepTag)"]}"#)
    try await dispatch(body, steps: 4, of: crowd.house, by: crowd.sender, meter)
}

/// The same with an alert that names two attributes of the device.
private func stepVariables(_ meter: Meter) async throws {
    let alert = "Hi {{first_name|there}}, your plan is {{plan|free}}"
    try await dispatchToStored(push(to: #""all""#, alert: alert, badge: ""), steps: 2, meter)
}

/// The same with badges that count up: each device's is stored.
private func stepBadges(_ meter: Meter) async throws {
    try await dispatchToStored(push(to: #""all""#, badge: #""badge":"+1","#), steps: 1, meter)
}

private func dispatchToStored(_ body: [UInt8], steps: Int, _ meter: Meter) async throws {
    let sender = CountingSender()
    let house = try await House(sender: sender)
    try await house.importDevices(
        try (0..<LanePlan.stepSize).map { number in
            var row = DeviceImport(number: number)
            row.attributes = try AttributeEdit(["first_name": .string("Name\(number)"), "plan": "pro", "city": "Ulm"])
            return row
        }
    )
    try await dispatch(body, steps: steps, of: house, by: sender, meter)
    try house.remove()
}

private func dispatch(
    _ body: [UInt8],
    steps: Int,
    of house: House,
    by sender: CountingSender,
    _ meter: Meter
) async throws {
    try await meter.measure(units: steps) {
        for _ in 0..<steps { _ = try await house.core.acceptor.accept(body, for: house.app) }
    } _: { _ in
        try await sendAccepted(of: house, by: sender, count: steps * LanePlan.stepSize)
    }
    try await checkNothingWaits(in: house)
}

/// Sends a push to all devices of an app that has `count` of them, and waits until the store knows that they have it.
func sendToAll(of house: House, by sender: CountingSender, count: Int) async throws -> MessageID {
    let result = try await house.core.acceptor.accept(push(to: #""all""#), for: house.app)
    try await sendAccepted(of: house, by: sender, count: count)
    try await checkNothingWaits(in: house)
    return result.messageID
}

private func sendAccepted(of house: House, by sender: CountingSender, count: Int) async throws {
    let core = house.core
    let services = ServiceGroup(services: [core.dispatcher], logger: silence)
    async let end: Void = services.run()
    try await sender.pushes.wait(for: count)
    // Steps that have begun are finished.
    await services.triggerGracefulShutdown()
    try await end
}

private func checkNothingWaits(in house: House) async throws {
    let waiting = try await house.core.store.waiting(for: .onlyNode, at: house.clock.date)
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
    try await meter.measure(units: rounds) {
        var place = 0
        return (0..<rounds).map { _ in
            let end = min(count, place + LanePlan.stepSize)
            var progress = ChunkProgress(chunk, cursor: end, at: now)
            progress.sent = PlaceSet(place..<end)
            var checkpoint = Checkpoint(lane.destination)
            checkpoint.chunks = [progress]
            place = end == count ? 0 : end
            return checkpoint
        }
    } _: { checkpoints in
        for checkpoint in checkpoints {
            let result = try await core.store.checkpoint(checkpoint, claim)
            guard result.findings.isEmpty else { throw UnexpectedAnswer("The lease is lost.") }
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
