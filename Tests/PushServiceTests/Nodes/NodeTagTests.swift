import Foundation
import PushClock
import PushModel
import PushService
import Synchronization
import TestSupport
import Testing

@Suite("Audiences by tags at a node that has not heard of them", .suiteLimit)
struct NodeTagTests {
    /// Imports a device with tags at a node, as `posthorn devices import` does.
    private func importDevice(_ number: UInt8, _ tags: [String], at service: TestService) async throws {
        var row = DeviceImport(token: DeviceToken(bytes: [UInt8](repeating: number, count: 32)))
        row.tags = tags
        let result = try await service.store.importDevices(
            [(row: row, own: nil)],
            of: service.app.id,
            environment: .production,
            installation: "file \(number)",
            seenAt: service.clock.date
        )
        service.core.registry.apply(result.devices)
    }

    private func refusal(_ audience: String, at service: TestService) async -> JPushError? {
        await #expect(throws: JPushError.self) { try await service.push(pushBody(audience: audience)) }
    }

    @Test(
        "Changes and imports of another node are read before a push is refused, by push and by validation",
        arguments: NodeStores.Kind.allCases
    )
    func catchingUp(kind: NodeStores.Kind) async throws {
        // Nobody reads the logs but the push itself.
        try await TestNodes.run(on: kind, isRunning: false) { nodes in
            let second = nodes.second
            try await importDevice(1, ["big", "red"], at: nodes.first)
            let push = try await second.push(pushBody(audience: "{\"tag\":[\"red\"]}"))
            #expect(push.messageID.number > 0)
            try await importDevice(2, ["green"], at: nodes.first)
            let combined = "{\"tag\":[\"green\",\"none\"],\"tag_not\":[\"big\"]}"
            #expect(try await second.push(pushBody(audience: combined)).messageID > push.messageID)
            let device = try await nodes.first.addDevice { $0.tags = ["blue"] }
            let body = Array(pushBody(audience: "{\"tag_and\":[\"blue\"]}").utf8)
            #expect(
                try await second.core.acceptor.validate(try PushRequest(parsing: body), body, for: second.app).messageID
                    > push.messageID
            )
            let changed = try await nodes.first.store.updateDevice(device.id) { $0.tags = ["yellow"] }
            #expect(changed != nil)
            _ = try await second.push(pushBody(audience: "{\"tag\":[\"yellow\"]}"))
            // A device whose tag was taken away is left out as soon as the node has read of it.
            #expect(await refusal("{\"tag\":[\"blue\"]}", at: second)?.code == 1011)
            #expect(nodes.network.state.withLock(\.lookups) == 0, "Tags are not looked up in the store.")
        }
    }

    @Test("A tag that no node knows is refused with 1011 at each", arguments: NodeStores.Kind.allCases)
    func unknown(kind: NodeStores.Kind) async throws {
        try await TestNodes.run(on: kind, isRunning: false) { nodes in
            try await importDevice(1, ["red"], at: nodes.first)
            for service in nodes.services {
                #expect(await refusal("{\"tag\":[\"green\"]}", at: service)?.code == 1011)
                #expect(await refusal("{\"tag_and\":[\"red\",\"green\"]}", at: service)?.code == 1011)
                _ = try await service.push(pushBody(audience: "{\"tag\":[\"red\"]}"))
            }
        }
    }
}
