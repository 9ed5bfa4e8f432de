import PushClock
import PushModel
import PushService
import PushStoreConformance
import TestSupport
import Testing

@Suite("The stand-in for a shared store", .timeLimit(.minutes(2)))
struct NodesInMemoryTests {
    @Test("It keeps the promises of a shared store", arguments: SharedStoreContract.clauses)
    func contract(_ clause: SharedStoreContract.Clause) async throws {
        try await TestNodes.withShared { shared, clock in
            let fixture = SharedStoreContract.Fixture(
                data: [shared.store, shared.store],
                shared: [shared, shared],
                term: NodeLease.term,
                letTermPass: { await clock.advance(by: NodeLease.term) }
            )
            try await clause.check(fixture)
        }
    }

    @Test("A device that is added between two looks at the devices is not deleted in the log by the earlier look")
    func overtakenLook() async throws {
        try await TestNodes.run(isRunning: false) { nodes in
            let shared = try #require((nodes.shared as? NetworkedStore)?.base as? NodesInMemory)
            let first = try #require(nodes.first.core.node)
            let second = try #require(nodes.second.core.node)
            let added = Recorder<RegisteredDevice>()
            shared.afterNextLook {
                // The first node has looked at the devices, and has not compared them yet.
                added.add(try await nodes.first.addDevice())
                try await second.feed.catchUp()
            }
            try await first.feed.catchUp()
            let device = try #require(added.elements.first)
            for service in nodes.services {
                let audience = "{\"registration_id\":[\"\(service.registrationID(device))\"]}"
                let result = try await service.push(pushBody(audience: audience))
                #expect(result.messageID.number > 0)
            }
        }
    }
}
