import APNSTransport
import DeviceLink
import Foundation
import PushClock
import PushModel
import Synchronization
import TestSupport
import Testing

@testable import APNSGateway

@Suite("Gateway that keeps its mail", .suiteLimit)
struct MailLogTests {
    private let development = ProviderConnection(environment: .development)

    /// The waiting pushes by token, in order, with those that have been on their way.
    private func mail(_ gateway: Gateway) -> [[UInt8]: [APNSID]] {
        gateway.state.withLock { state in
            var mail: [[UInt8]: [APNSID]] = [:]
            for record in state.records {
                let ids = record.mailbox.unacknowledgedIDs
                if !ids.isEmpty { mail[record.token.token.bytes] = ids }
            }
            return mail
        }
    }

    @Test("A push that a device has not acknowledged arrives once after a restart; an acknowledged one does not")
    func restarts() async throws {
        try await withTemporaryPath { folder in
            let first = try World(mail: folder)
            let device = FakeDevice("phone", at: first.gateway)
            let token = try device.register()
            let known = UUID().uuidString.lowercased()
            let unknown = UUID().uuidString.lowercased()
            for id in [known, unknown] {
                #expect(
                    first.gateway.respond(to: first.request(to: token, ["apns-id": id]), on: development).status == 200
                )
            }
            device.say(.ack(apnsID: known))
            device.disconnect()
            let late = UUID().uuidString.lowercased()
            let request = first.request(
                to: token,
                ["apns-id": late, "apns-collapse-id": "score"],
                payload: #"{"a":1}"#
            )
            #expect(first.gateway.respond(to: request, on: development).status == 200)
            await first.gateway.flush()

            let second = try World(mail: folder, clock: first.clock)
            // The provider repeats what it heard no answer to.
            #expect(second.gateway.respond(to: request, on: development).status == 200)
            let again = FakeDevice("phone", at: second.gateway)
            #expect(try again.register() == token)
            #expect(again.pushes == [unknown, late])
            let payloads = again.frames.compactMap { if case .push(let push) = $0 { push.payload } else { nil } }
            #expect(payloads.last == Array(#"{"a":1}"#.utf8))
        }
    }

    @Test("A dead token keeps its date over a restart, and its app never gets it back")
    func deaths() async throws {
        try await withTemporaryPath { folder in
            let first = try World(mail: folder)
            let device = FakeDevice("phone", at: first.gateway)
            let token = try device.register()
            device.say(.unregister(topic: bundleID, environment: .development))
            let removed = first.clock.date
            let old = first.gateway.issueToken(topic: bundleID, environment: .development)
            first.gateway.expireToken(old, since: removed)
            await first.gateway.flush()
            await first.clock.advance(by: .seconds(3600))

            let second = try World(mail: folder, clock: first.clock)
            let answer = second.gateway.respond(to: second.request(to: token), on: development)
            #expect(answer.status == 410)
            #expect(answer.reason == "Unregistered")
            let body = try JSONValue(parsing: answer.body)
            #expect(body.object?["timestamp"]?.integer == Int64(removed.timeIntervalSince1970 * 1000))
            #expect(second.gateway.respond(to: second.request(to: old), on: development).reason == "ExpiredToken")
            let reinstalled = try FakeDevice("phone", at: second.gateway).register()
            #expect(reinstalled != token)
            await second.gateway.flush()
            let third = try World(mail: folder, clock: first.clock)
            #expect(try FakeDevice("phone", at: third.gateway).register() == reinstalled)
        }
    }

    @Test("fleetdm30816_51651_storedPushesExpireWithoutADevice: also what a gateway finds when it starts")
    func expires() async throws {
        try await withTemporaryPath { folder in
            let first = try World(mail: folder)
            let token = first.gateway.issueToken(topic: bundleID, environment: .development)
            let end = Int(first.clock.date.timeIntervalSince1970) + 60
            let id = UUID().uuidString.lowercased()
            let request = first.request(to: token, ["apns-id": id, "apns-expiration": "\(end)"])
            #expect(first.gateway.respond(to: request, on: development).status == 200)
            await first.gateway.flush()
            let second = try World(mail: folder, clock: first.clock)
            #expect(mail(second.gateway) == [token.bytes: [try #require(APNSID(id))]])
            await first.clock.advance(by: .seconds(61))
            let third = try World(mail: folder, clock: first.clock)
            third.gateway.expire()
            #expect(third.sink.kinds(of: id) == [.expired])
            #expect(mail(third.gateway).isEmpty)
        }
    }

    @Test("A push with one attempt is not kept")
    func once() async throws {
        try await withTemporaryPath { folder in
            let first = try World(mail: folder)
            let token = try FakeDevice("phone", at: first.gateway).register()
            let request = first.request(to: token, ["apns-expiration": "0"])
            #expect(first.gateway.respond(to: request, on: development).status == 200)
            await first.gateway.flush()
            #expect(mail(try World(mail: folder, clock: first.clock).gateway).isEmpty)
        }
    }

    @Test("Channels and what they keep are there after a restart; deleted ones are not")
    func channels() async throws {
        try await withTemporaryPath { folder in
            let first = try World(mail: folder)
            let app = ChannelRegistry.App(bundleID: bundleID, environment: .development)
            let message = Broadcast(
                id: APNSID(high: 1, low: 2),
                payload: [1],
                priority: 10,
                expiration: first.clock.date.addingTimeInterval(60)
            )
            first.gateway.change { state in
                for (id, storage) in [("a", ChannelStorage.newest), ("b", .nothing), ("c", .nothing)] {
                    _ = state.channels.create(app.channel(id), storage)
                    state.tail?.append(.channel(app.channel(id), storage))
                }
                _ = state.channels.delete(app.channel("b"))
                state.tail?.append(.channelGone(app.channel("b")))
                let effects = state.channels.publish(message, to: app.channel("a"), at: first.clock.date) ?? []
                state.tail?.append(.broadcast(app.channel("a"), message))
                first.gateway.carry(effects, at: first.clock.date, in: &state)
            }
            await first.gateway.flush()
            let second = try World(mail: folder, clock: first.clock).gateway
            #expect(second.channels(ofApp: bundleID, .development) == ["a", "c"])
            #expect(second.storedBroadcast(inChannel: "a", ofApp: bundleID, .development) == message)
        }
    }

    @Test(
        "Waiting pushes, dead tokens and repeated requests are the same after any restart",
        arguments: 0..<8 as Range<UInt64>
    )
    func sameAfterRestart(_ seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        var rules = GatewayRules()
        rules.policy = seed % 2 == 0 ? .placePerCollapseID : .single
        try await withTemporaryPath { [rules] folder in
            // So small that checkpoints are made all the time.
            let world = try World(rules: rules, mail: folder, smallestLimit: 4096)
            var story = GatewayStory(world)
            for round in 0..<12 {
                for _ in 0..<40 { await story.step(&random) }
                // Until also a checkpoint is at its end, so that the files stand still.
                try await eventually("the segment is written") {
                    world.gateway.state.withLock { $0.tail?.isBeingWritten == false }
                }
                let copy = folder + "-\(round)"
                try FileManager.default.copyItem(atPath: folder, toPath: copy)
                defer { try? FileManager.default.removeItem(atPath: copy) }
                let other = try World(rules: rules, mail: copy, clock: world.clock)
                // Said in one word each: they are too long to read in a report.
                let hasSameMail = mail(other.gateway) == mail(world.gateway)
                let hasSameDead = story.dead(other.gateway) == story.dead(world.gateway)
                let remembersTheSame = story.recent(other.gateway) == story.recent(world.gateway)
                #expect(hasSameMail)
                #expect(hasSameDead)
                #expect(remembersTheSame)
            }
            let segments = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(segments != ["00000001.log"], "No checkpoint was made, so that nothing was proved of them.")
        }
    }
}

/// Devices, pushes and time at random.
private struct GatewayStory {
    private let world: World
    private let connection = ProviderConnection(environment: .development)
    private var devices: [FakeDevice?] = Array(repeating: nil, count: 4)
    private var tokens: [DeviceToken] = []
    private var ids: [String] = []

    init(_ world: World) { self.world = world }

    func dead(_ gateway: Gateway) -> [[UInt8]: Date] {
        gateway.state.withLock { state in
            var dead: [[UInt8]: Date] = [:]
            for record in state.records { dead[record.token.token.bytes] = record.unregistered }
            return dead
        }
    }

    func recent(_ gateway: Gateway) -> [[UInt8]: [APNSID]] {
        gateway.state.withLock { state in
            var recent: [[UInt8]: [APNSID]] = [:]
            for record in state.records { recent[record.token.token.bytes] = record.mailbox.recentIDs }
            return recent
        }
    }

    mutating func step(_ random: inout SplitMix) async {
        let index = Int.random(in: devices.indices, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
            devices[index]?.disconnect()
            devices[index] = nil
        case 1, 2:
            let device = FakeDevice("phone \(index)", at: world.gateway)
            devices[index] = device
            if let token = try? device.register() { tokens.append(token) }
        case 3: devices[index]?.say(.unregister(topic: bundleID, environment: .development))
        case 4: tokens.append(world.issueToken())
        case 5: if let token = tokens.randomElement(using: &random) { world.gateway.expireToken(token) }
        case 6: await world.clock.advance(by: .seconds(Int.random(in: 1...600, using: &random)))
        case 7, 8:
            if let id = devices[index]?.pushes.randomElement(using: &random) { devices[index]?.say(.ack(apnsID: id)) }
        default: push(&random)
        }
    }

    private mutating func push(_ random: inout SplitMix) {
        guard let token = tokens.suffix(6).randomElement(using: &random) else { return }
        var fields: [String: String?] = [:]
        switch Int.random(in: 0..<4, using: &random) {
        case 0: break
        case 1: fields["apns-id"] = ids.suffix(20).randomElement(using: &random)
        default:
            let id = APNSID(high: random.next(), low: random.next()).version4.text
            ids.append(id)
            fields["apns-id"] = id
        }
        if Bool.random(using: &random) { fields["apns-collapse-id"] = "c\(Int.random(in: 0..<3, using: &random))" }
        let now = Int(world.clock.date.timeIntervalSince1970)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: fields["apns-expiration"] = "\(now + Int.random(in: 1...900, using: &random))"
        default: break
        }
        _ = world.gateway.respond(to: world.request(to: token, fields), on: connection)
    }
}
