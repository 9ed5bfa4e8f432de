import PushClock
import PushModel
import TestSupport
import Testing

@testable import PushService

@Suite("Nodes that were away, and what they do not know", .suiteLimit)
struct ReturningNodeTests {
    private let status = NodeStatus(version: "test")

    @Test("A node whose number another process has taken ends; one that was not answered when it joined goes on")
    func numberLost() async throws {
        try await TestNodes.run(1, isRunning: false) { nodes in
            let node = try #require(nodes.first.core.node)
            let number = node.membership.node
            for isOther in [false, true] {
                await nodes.clock.advance(by: NodeLease.term + .seconds(1))
                let other = try await nodes.shared.join(number, name: "other", status: status, for: NodeLease.term)
                try await node.beatOnce()
                #expect(node.membership.claim.fence < other.fence)
                for _ in 0..<4 {
                    await nodes.clock.advance(by: .seconds(3))
                    guard isOther else { continue }
                    _ = try await nodes.shared.renew(other, status: status, for: NodeLease.term)
                }
                guard isOther else {
                    try await node.beatOnce()
                    #expect(node.membership.claim.fence > other.fence)
                    continue
                }
                let lost = await #expect(throws: NumberLost.self) { try await node.beatOnce() }
                #expect(lost?.node == number)
            }
        }
    }

    @Test(
        "A node that an operator has drained is drained still when it has joined again",
        arguments: NodeStores.Kind.allCases
    )
    func drained(kind: NodeStores.Kind) async throws {
        try await TestNodes.run(2, on: kind, isRunning: false) { nodes in
            let node = try #require(nodes.first.core.node)
            let other = try #require(nodes.second.core.node)
            #expect(try await nodes.shared.setDraining(true, node.membership.node))
            try await node.beatOnce()
            let before = node.membership.claim
            #expect(node.membership.isDraining)
            // Its lease ends, and the other's does not.
            for _ in 0..<4 {
                await nodes.clock.advance(by: .seconds(2))
                await nodes.network.settle()
                try await other.beatOnce()
            }
            let ended = try await nodes.shared.endExpired(by: other.membership.claim)
            let isOver = try await nodes.shared.nodes().contains { $0.claim == before && !$0.isAlive }
            #expect(ended.contains(before) || isOver)
            for _ in 0..<2 {
                try await node.beatOnce()
                #expect(node.membership.claim.fence == before.fence + 1)
                #expect(node.membership.isDraining && !node.membership.mayWork)
            }
        }
    }

    @Test("A push of an app that the sending node has not heard of is sent")
    func unknownApp() async throws {
        // Nobody reads the logs of others.
        try await TestNodes.run(on: .postgres, isRunning: false) { nodes in
            let first = nodes.first
            let second = nodes.second
            let app = try await TestService.createApp("com.example.second", in: first.store, at: nodes.clock.date).app
            first.core.registry.apply(app)
            let device = try await first.addDevice(app: app)
            // Only the other can send.
            try await nodes.kill(0)
            let id = first.registrationID(device)
            let result = try await first.push(pushBody(audience: "{\"registration_id\":[\"\(id)\"]}"), for: app)
            _ = try await nodes.whileTimePasses { try await second.sender.sent.wait(for: 1) }
            try await nodes.whileTimePasses {
                try await eventually("the push is counted as sent") {
                    try await first.core.journeys.journey(of: result.messageID, to: id, app: app)?.verdict.state
                        == .sent
                }
            }
        }
    }
}
