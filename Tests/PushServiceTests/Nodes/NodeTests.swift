import DeviceLink
import Foundation
import PushClock
import PushModel
import PushService
import Synchronization
import TestSupport
import Testing

private func audience(_ device: RegisteredDevice, _ service: TestService) -> String {
    "{\"registration_id\":[\"\(service.registrationID(device))\"]}"
}

private func message(to identity: Identity, _ text: String) -> String {
    """
    {"platform":"all","audience":{"registration_id":["\(identity.registrationID)"]},"message":{"msg_content":"\(text)"}}
    """
}

/// A schedule that fires once, in the default time zone.
private func schedule(at date: Date) -> String {
    var style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: ScheduleRules().zone)
    style = style.year().month().day().dateSeparator(.dash).time(includingFractionalSeconds: false)
    let trigger = "{\"single\":{\"time\":\"\(date.formatted(style))\"}}"
    return "{\"name\":\"a\",\"enabled\":true,\"trigger\":\(trigger),\"push\":\(pushBody())}"
}

/// The content of the next custom message on a link.
private func content(_ link: TestLink) async throws -> String? {
    guard case .message(let message) = try await link.hear() else { return nil }
    return message.content
}

@Suite("Nodes of one store", .suiteLimit)
struct NodeTests {
    private static let stores = NodeStores.Kind.allCases

    @Test(
        "A device registered at one node is found by the next push at another, by id and by alias",
        arguments: Self.stores
    )
    func lookup(kind: NodeStores.Kind) async throws {
        try await TestNodes.run(on: kind, isRunning: false) { nodes in
            let device = try await nodes.first.addDevice { $0.alias = "ann" }
            let result = try await nodes.second.push(pushBody(audience: audience(device, nodes.first)))
            _ = try await nodes.second.push(pushBody(audience: "{\"alias\":[\"ann\"]}"))
            #expect(result.messageID.number > 0)
            #expect(nodes.network.state.withLock(\.lookups) == 1, "By its alias it is known by then.")
        }
    }

    @Test("A journey is told under an imported id by a node that has never heard of it")
    func journey() async throws {
        try await TestNodes.run(on: .postgres, isRunning: false) { nodes in
            let app = nodes.first.app
            let id = try #require(RegistrationID("1a0018970a91c0c8a3f"))
            let row = DeviceImport(registrationID: id, token: DeviceToken(bytes: [1]))
            let tally = try await nodes.first.core.importer.add([row], of: app.id, environment: .production)
            #expect(tally.created == 1)
            let result = try await nodes.first.push(pushBody(audience: "{\"registration_id\":[\"\(id)\"]}"))
            let journey = try await nodes.second.core.journeys.journey(of: result.messageID, to: id, app: app)
            #expect(journey?.registrationID == id.text)
        }
    }

    @Test("A node that has never heard of a device sends to it", arguments: Self.stores)
    func targets(kind: NodeStores.Kind) async throws {
        try await TestNodes.run(on: kind, isRunning: false) { nodes in
            // The node that accepts it does not dispatch.
            try await nodes.kill(0)
            let device = try await nodes.first.addDevice()
            _ = try await nodes.first.push(pushBody(audience: audience(device, nodes.first)))
            // Enough for a look, and less than a lease, which nobody renews here.
            await nodes.clock.skipPauses(upTo: .seconds(1), until: nodes.clock.now.advanced(by: .seconds(2)))
            let sent = try await nodes.second.sender.sent.wait(for: 1)
            #expect(sent[0].push.token == device.token)
        }
    }

    @Test(
        "Changes at one node reach audiences of all nodes, also if every ring is lost",
        arguments: [false, true],
        Self.stores
    )
    func feed(isDeaf: Bool, kind: NodeStores.Kind) async throws {
        try await TestNodes.run(3, on: kind, isDeaf: isDeaf) { nodes in
            let device = try await nodes.first.addDevice { $0.tags = ["red"] }
            try await nodes.whileTimePasses {
                for service in nodes.services {
                    try await eventually("the tag is known") {
                        service.core.registry.has(device.id, tag: "red")
                    }
                }
            }
        }
    }

    @Test("A custom message accepted at one node reaches the link at another", arguments: [false, true], Self.stores)
    func messages(isDeaf: Bool, kind: NodeStores.Kind) async throws {
        try await TestNodes.run(on: kind, isDeaf: isDeaf) { nodes in
            let (link, identity) = try await nodes.second.enrol()
            _ = try await nodes.first.push(message(to: identity, "hello"))
            let text = try await nodes.whileTimePasses { try await content(link) }
            #expect(text == "hello")
        }
    }

    @Test("A device that moves to another node gets its messages there, and each once", arguments: Self.stores)
    func moving(kind: NodeStores.Kind) async throws {
        try await TestNodes.run(on: kind) { nodes in
            let (old, identity) = try await nodes.first.enrol()
            _ = try await nodes.second.push(message(to: identity, "one"))
            let first = try await nodes.whileTimePasses { try await content(old) }
            #expect(first == "one")
            let position = try await nodes.first.store.lastCustomMessage()
            old.say(.acknowledge(position: position))
            // Acknowledgements are written a second later, so the device says what it has.
            let new = try await nodes.second.logIn(identity, position: position)
            for (service, text) in zip(nodes.services, ["two", "three"]) {
                _ = try await service.push(message(to: identity, text))
            }
            let others = try await nodes.whileTimePasses { [try await content(new), try await content(new)] }
            #expect(others == ["two", "three"])
            // Back at the first node, which has learned that its old link is not the newest any more.
            let third = try await nodes.first.logIn(identity)
            _ = try await nodes.first.push(message(to: identity, "four"))
            let last = try await nodes.whileTimePasses {
                while true { if let text = try await content(third), text == "four" { return text } }
            }
            #expect(last == "four")
        }
    }

    @Test("Each push is sent once, whichever node accepts it", arguments: Self.stores)
    func lanes(kind: NodeStores.Kind) async throws {
        try await TestNodes.run(3, on: kind) { nodes in
            let devices = try await nodes.first.addDevices(300)
            for service in nodes.services {
                for device in devices { _ = try await service.push(pushBody(audience: audience(device, service))) }
            }
            let ids = try await nodes.whileTimePasses {
                var ids: [String] = []
                try await eventually("900 pushes are sent") {
                    ids = nodes.services.flatMap { $0.sender.sent.elements.map(\.push.id) }
                    return ids.count >= 900
                }
                return ids
            }
            #expect(ids.count == 900)
            #expect(Set(ids).count == 900)
        }
    }

    @Test("The lanes of a killed node are taken over, with the same apns-ids", arguments: Self.stores)
    func takeOver(kind: NodeStores.Kind) async throws {
        try await TestNodes.run(on: kind) { nodes in
            for service in nodes.services {
                service.sender.answer { _ in
                    // Until the node is killed.
                    try? await Task.sleep(for: .seconds(1000))
                    return SendOutcome(.unreachable("The node was killed."))
                }
            }
            let device = try await nodes.first.addDevice()
            _ = try await nodes.first.push(pushBody(audience: audience(device, nodes.first)))
            // Either may take the lane.
            let sender = try await nodes.sender()
            let lost = nodes.services[sender].sender.sent.elements
            try await nodes.kill(sender)
            let other = nodes.services[1 - sender]
            let sent = try await nodes.whileTimePasses { try await other.sender.sent.wait(for: 1) }
            #expect(sent.map(\.push.id) == lost.map(\.push.id))
            let records = try await nodes.shared.nodes()
            #expect(records.map(\.isAlive) == [sender != 0, sender != 1])
        }
    }

    @Test(
        "A node that comes back after its lease reports nothing of what others have taken over, and works again",
        arguments: Self.stores
    )
    func fencing(kind: NodeStores.Kind) async throws {
        try await TestNodes.run(on: kind) { nodes in
            let release = Announcement<Void>()
            let isHeld = Announcement<Void>()
            for service in nodes.services {
                service.sender.answer { _ in
                    guard !isHeld.isMade else { return SendOutcome(.sent) }
                    isHeld.make(.success(()))
                    _ = try? await release.value
                    return SendOutcome(.refused(.badDeviceToken, unregisteredAt: nil))
                }
            }
            let device = try await nodes.first.addDevice()
            let result = try await nodes.first.push(pushBody(audience: audience(device, nodes.first)))
            // Either may take the lane.
            let sender = try await nodes.sender()
            let one = nodes.services[sender]
            let other = nodes.services[1 - sender]
            let before = try #require(one.core.node).membership.claim
            nodes.network.state.withLock { _ = $0.cut.insert(before.node) }
            _ = try await nodes.whileTimePasses { try await other.sender.sent.wait(for: 1) }
            // The answer that the node gets now is about a lease that it has lost.
            release.make(.success(()))
            nodes.network.state.withLock { $0.cut = [] }
            try await nodes.whileTimePasses {
                try await eventually("the node has joined again") {
                    (one.core.node?.membership.claim.fence ?? 0) > before.fence
                }
                try await eventually("the push is counted as sent") {
                    try await nodes.first.journey(result, device).verdict.state == .sent
                }
            }
            let token = try await nodes.first.store.device(device.id)?.tokenRefusal
            #expect(token == nil, "The token was refused only in a report under a lost lease.")
        }
    }

    @Test("A schedule fires once, also if the leader is killed", arguments: Self.stores)
    func schedules(kind: NodeStores.Kind) async throws {
        try await TestNodes.run(3, on: kind) { nodes in
            _ = try await nodes.first.addDevice()
            let leader = try await nodes.whileTimePasses {
                try await eventual("a node leads") {
                    nodes.services.firstIndex { $0.core.node?.membership.leads(.schedules) == true }
                }
            }
            try await nodes.kill(leader)
            let other = nodes.services[(leader + 1) % 3]
            let body = schedule(at: nodes.clock.date.addingTimeInterval(30))
            let schedule = try await other.core.schedules.create(Array(body.utf8), for: other.app).id
            try await nodes.whileTimePasses {
                try await eventually("it has fired") { try await !other.store.firings(of: schedule).isEmpty }
                try await eventually("it is sent") { nodes.services.contains { !$0.sender.sent.elements.isEmpty } }
            }
            let firings = try await other.store.firings(of: schedule)
            #expect(firings.count == 1)
            #expect(nodes.services.reduce(0) { $0 + $1.sender.sent.elements.count } == 1)
        }
    }

    @Test(
        "A node whose clock is wrong by an hour fires nothing early, and late neither",
        arguments: [3600, -3600],
        Self.stores
    )
    func wrongClock(seconds: Int, kind: NodeStores.Kind) async throws {
        try await TestNodes.run(on: kind, wrongBy: .seconds(seconds)) { nodes in
            try await nodes.kill(0)
            let device = try await nodes.first.addDevice()
            try await nodes.whileTimePasses {
                try await eventually("the other node leads") {
                    nodes.second.core.node?.membership.leads(.schedules) == true
                }
            }
            let due = nodes.clock.date.addingTimeInterval(30)
            let id = try await nodes.second.core.schedules.create(Array(schedule(at: due).utf8), for: nodes.second.app)
                .id
            _ = try await nodes.whileTimePasses { try await nodes.second.sender.sent.wait(for: 1) }
            let firing = try await eventual("the firing is recorded") {
                try await nodes.second.store.firings(of: id).first
            }
            // Virtual time does not wait for a busy machine, so a bound for late firings has to be wide.
            #expect(firing.at >= due && firing.at < due.addingTimeInterval(1800))
            #expect(nodes.second.sender.sent.elements.map(\.push.token) == [device.token])
        }
    }

    @Test(
        "A link stays open while its node is away for longer than its lease, and gets what was accepted meanwhile",
        arguments: Self.stores
    )
    func linksOfAnEndedMembership(kind: NodeStores.Kind) async throws {
        try await TestNodes.run(on: kind) { nodes in
            let (link, identity) = try await nodes.second.enrol()
            let node = try #require(nodes.second.core.node)
            let before = node.membership.claim
            // 'logged-in' comes before the store has the link; a message comes after that.
            _ = try await nodes.first.push(message(to: identity, "before"))
            let first = try await nodes.whileTimePasses { try await content(link) }
            #expect(first == "before")
            nodes.network.state.withLock { _ = $0.cut.insert(before.node) }
            try await nodes.whileTimePasses {
                try await eventually("the membership has ended") {
                    nodes.network.state.withLock { $0.ended.contains(before) }
                }
            }
            _ = try await nodes.first.push(message(to: identity, "meanwhile"))
            nodes.network.state.withLock { $0.cut = [] }
            _ = try await nodes.whileTimePasses {
                try await eventually("the node has joined again") { node.membership.claim.fence > before.fence }
            }
            _ = try await nodes.first.push(message(to: identity, "later"))
            let texts = try await nodes.whileTimePasses { [try await content(link), try await content(link)] }
            #expect(texts == ["meanwhile", "later"])
        }
    }

    @Test("Nothing is lost and everything is counted once, whatever is cut off")
    func chaos() async throws {
        try await TestNodes.run(3) { nodes in
            let devices = try await nodes.first.addDevices(20) { $0.tags = ["red"] }
            // A node that is cut off before it has heard of a device does not know it.
            try await nodes.whileTimePasses {
                for service in nodes.services {
                    try await eventually("the devices are known") {
                        devices.allSatisfy { service.core.registry.has($0.id, tag: "red") }
                    }
                }
            }
            var random = SystemRandomNumberGenerator()
            var accepted: [(PushResult, RegisteredDevice)] = []
            for _ in 0..<10 {
                let cut = NodeID(rawValue: Int16.random(in: 1...3, using: &random))
                nodes.network.state.withLock { $0.cut = [cut] }
                for device in devices {
                    let service = nodes.services[Int.random(in: 0..<3, using: &random)]
                    accepted.append((try await service.push(pushBody(audience: audience(device, service))), device))
                }
                let end = nodes.clock.now.advanced(by: .seconds(Int.random(in: 1...20, using: &random)))
                await nodes.letTimePass(until: end)
            }
            nodes.network.state.withLock { $0.cut = [] }
            let all = accepted
            try await nodes.whileTimePasses {
                for (result, device) in all {
                    try await eventually("each push is recorded as sent") {
                        try await nodes.first.journey(result, device).verdict.state == .sent
                    }
                }
            }
            let sent = nodes.services.flatMap { $0.sender.sent.elements.map(\.push.id) }
            #expect(Set(sent).count == accepted.count)
            let counts = try await nodes.first.core.reports.counts(of: all.map(\.0.messageID), app: nodes.first.app.id)
            #expect(counts.count == accepted.count)
            #expect(counts.values.allSatisfy { $0.sent == 1 })
        }
    }

    @Test("The work of a role is done at one node, and at another after that has ended", arguments: Self.stores)
    func roles(kind: NodeStores.Kind) async throws {
        try await TestNodes.run(on: kind) { nodes in
            let begun = Recorder<Int>()
            let ended = Recorder<Int>()
            await withThrowingTaskGroup(of: Void.self) { group in
                for (number, service) in nodes.services.enumerated() {
                    let gate = LeaderGate(.gatewayEvents, of: service.core.node?.membership)
                    group.addTask {
                        await gate.whileOpen(nodes.clock) {
                            begun.add(number)
                            // Until the role is lost.
                            try? await nodes.clock.sleep(for: .seconds(1_000_000))
                            ended.add(number)
                        }
                    }
                }
                do {
                    let first = try await nodes.whileTimePasses { try await begun.wait(for: 1) }[0]
                    try await nodes.kill(first)
                    let both = try await nodes.whileTimePasses {
                        _ = try await ended.wait(for: 1)
                        return try await begun.wait(for: 2)
                    }
                    #expect(both == [first, 1 - first])
                    #expect(ended.elements == [first])
                } catch { Issue.record(error) }
                group.cancelAll()
            }
        }
    }

    private func setDraining(_ isDraining: Bool, _ nodes: TestNodes) async throws {
        let answer = try await nodes.second.core.operators.perform(
            "node.drain",
            Array("{\"node\":1,\"draining\":\(isDraining)}".utf8)
        )
        #expect(answer["name"] == "node1")
        #expect(answer["draining"] == .bool(isDraining))
    }

    @Test("Operators see the nodes; a service that is alone has none", arguments: Self.stores)
    func operators(kind: NodeStores.Kind) async throws {
        try await TestNodes.run(on: kind) { nodes in
            let answer = try await nodes.second.core.operators.perform("node.list", [])
            let found = (answer["nodes"]?.array ?? []).compactMap(\.object)
            #expect(found.map { $0["name"]?.string } == ["node1", "node2"])
            #expect(found.allSatisfy { $0["alive"] == true && $0["version"] == "test" })
            await #expect(throws: OperatorError.self) {
                try await nodes.first.core.operators.perform("node.drain", Array("{\"node\":9,\"draining\":true}".utf8))
            }
        }
        try await TestService.run { service in
            let error = await #expect(throws: OperatorError.self) {
                try await service.core.operators.perform("node.list", [])
            }
            #expect(error?.code == .conflict)
        }
    }

    @Test(
        "A node that is asked to hand over its work begins nothing new, until it is asked to work again",
        arguments: Self.stores
    )
    func draining(kind: NodeStores.Kind) async throws {
        try await TestNodes.run(on: kind) { nodes in
            let (link, _) = try await nodes.first.enrol()
            try await setDraining(true, nodes)
            try await nodes.whileTimePasses { try await link.untilClosed() }
            let device = try await nodes.first.addDevice()
            try await nodes.whileTimePasses {
                try await eventually("the node has heard of it") {
                    nodes.first.core.node?.membership.isDraining == true
                }
            }
            _ = try await nodes.first.push(pushBody(audience: audience(device, nodes.first)))
            _ = try await nodes.whileTimePasses { try await nodes.second.sender.sent.wait(for: 1) }
            #expect(nodes.first.sender.sent.elements.isEmpty)
            let report = await nodes.first.core.readiness.report()
            #expect(report.isDraining)
            try await setDraining(false, nodes)
            try await nodes.whileTimePasses {
                try await eventually("the node works again") { nodes.first.core.node?.membership.mayWork == true }
            }
        }
    }
}
