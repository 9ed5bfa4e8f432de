package import Foundation
import PushClock
import PushModel
package import PushService
import Testing

/// The promises of a store that several nodes share, clause by clause: run each against a new store of the implementation.
package enum SharedStoreContract {
    /// Two nodes of one store.
    package struct Fixture: Sendable {
        /// The data, as written by each of the two nodes.
        package var data: [any PushStore]
        /// The rest, as used by each of the two nodes.
        package var shared: [any SharedStore]
        /// The duration of the leases.
        package var term: Duration
        /// Lets a term pass by the clock of the store.
        package var letTermPass: @Sendable () async throws -> Void

        /// - Parameters:
        ///   - data: the data, as written by each of the two nodes.
        ///   - shared: the rest, as used by each of the two nodes.
        ///   - term: the duration of the leases.
        ///   - letTermPass: lets a term pass by the clock of the store.
        package init(
            data: [any PushStore],
            shared: [any SharedStore],
            term: Duration,
            letTermPass: @escaping @Sendable () async throws -> Void
        ) {
            self.data = data
            self.shared = shared
            self.term = term
            self.letTermPass = letTermPass
        }
    }

    /// One promise and how to check it.
    package struct Clause: Sendable, CustomTestStringConvertible {
        package var testDescription: String
        package var check: @Sendable (Fixture) async throws -> Void

        init(_ promise: String, _ check: @escaping @Sendable (Fixture) async throws -> Void) {
            testDescription = promise
            self.check = check
        }
    }

    package static let clauses = membership + roles + links + feed + callbacks

    /// The numbers of the two nodes.
    package static let first = NodeID(rawValue: 1)
    package static let second = NodeID(rawValue: 2)
    /// The date of the store's clock when a clause begins.
    package static let start = PushStoreContract.start

    /// Lets a node join for the fixture's term.
    package static func join(_ node: NodeID, _ fixture: Fixture) async throws -> NodeClaim {
        try await fixture.shared[Int(node.rawValue) - 1].join(
            node,
            name: "node \(node)",
            status: NodeStatus(version: "1"),
            for: fixture.term
        )
    }

    private static func renew(_ claim: NodeClaim, _ fixture: Fixture) async throws -> NodeHeartbeat {
        try await fixture.shared[Int(claim.node.rawValue) - 1].renew(
            claim,
            status: NodeStatus(version: "1", links: 2, lanes: 3, lag: 4),
            for: fixture.term
        )
    }

    private static let membership: [Clause] = [
        Clause("A number has one membership at a time, and each has a greater fencing number") { fixture in
            let claim = try await join(first, fixture)
            #expect(claim.node == first)
            await #expect(throws: NodeError.taken(first)) { try await join(first, fixture) }
            try await fixture.shared[0].leave(claim)
            let next = try await join(first, fixture)
            #expect(next.fence > claim.fence)
            await #expect(throws: NodeError.fenced(claim)) { try await renew(claim, fixture) }
            // Leaving a membership that is over does not end the next one.
            try await fixture.shared[0].leave(claim)
            let heartbeat = try await renew(next, fixture)
            #expect(!heartbeat.isDraining)
            #expect(heartbeat.aliveNodes == 1)
            try await fixture.letTermPass()
            let later = try await renew(next, fixture)
            #expect(later.date.timeIntervalSince(heartbeat.date) >= fixture.term / .seconds(1))
        },
        Clause("Nodes see each other's state") { fixture in
            let claims = [try await join(first, fixture), try await join(second, fixture)]
            let heartbeat = try await renew(claims[0], fixture)
            #expect(heartbeat.aliveNodes == 2)
            try await fixture.shared[1].leave(claims[1])
            let nodes = try await fixture.shared[1].nodes()
            #expect(nodes.map(\.claim) == claims)
            #expect(nodes.map(\.isAlive) == [true, false])
            #expect(nodes.map(\.name) == ["node 1", "node 2"])
            #expect(nodes[0].status == NodeStatus(version: "1", links: 2, lanes: 3, lag: 4))
        },
        Clause("A lease that has expired can be renewed until another node ends it") { fixture in
            let claims = [try await join(first, fixture), try await join(second, fixture)]
            try await fixture.letTermPass()
            _ = try await renew(claims[0], fixture)
            _ = try await renew(claims[1], fixture)
            try await fixture.letTermPass()
            _ = try await renew(claims[0], fixture)
            let ended = try await fixture.shared[0].endExpired(by: claims[0])
            #expect(ended == [claims[1]])
            await #expect(throws: NodeError.fenced(claims[1])) { try await renew(claims[1], fixture) }
            await #expect(throws: NodeError.fenced(claims[1])) {
                try await fixture.shared[1].endExpired(by: claims[1])
            }
            let again = try await fixture.shared[0].endExpired(by: claims[0])
            #expect(again.isEmpty)
        },
        Clause("A node learns that it is to hand over its work, and a new membership does not have to") { fixture in
            let claim = try await join(first, fixture)
            var isKnown = try await fixture.shared[1].setDraining(true, first)
            #expect(isKnown)
            isKnown = try await fixture.shared[1].setDraining(true, second)
            #expect(!isKnown)
            var heartbeat = try await renew(claim, fixture)
            #expect(heartbeat.isDraining)
            try await fixture.shared[0].leave(claim)
            heartbeat = try await renew(try await join(first, fixture), fixture)
            #expect(!heartbeat.isDraining)
        },
    ]

    private static let roles: [Clause] = [
        Clause("A role has one holder, which keeps it until it resigns or its membership ends") { fixture in
            let claims = [try await join(first, fixture), try await join(second, fixture)]
            var held = try await fixture.shared[0].lead([.schedules], as: claims[0])
            #expect(held == [.schedules])
            held = try await fixture.shared[1].lead([.schedules, .housekeeping], as: claims[1])
            #expect(held == [.housekeeping])
            // What is not wanted any more is free.
            held = try await fixture.shared[0].lead([], as: claims[0])
            #expect(held == [])
            held = try await fixture.shared[1].lead([.schedules, .housekeeping], as: claims[1])
            #expect(held == [.schedules, .housekeeping])
            held = try await fixture.shared[1].lead([.housekeeping], as: claims[1])
            #expect(held == [.housekeeping])
            held = try await fixture.shared[0].lead([.schedules], as: claims[0])
            #expect(held == [.schedules])
            try await fixture.shared[0].resign(claims[0])
            held = try await fixture.shared[1].lead([.schedules, .housekeeping], as: claims[1])
            #expect(held == [.schedules, .housekeeping])
            try await fixture.letTermPass()
            _ = try await renew(claims[0], fixture)
            _ = try await fixture.shared[0].endExpired(by: claims[0])
            await #expect(throws: NodeError.fenced(claims[1])) {
                try await fixture.shared[1].lead([.schedules], as: claims[1])
            }
            held = try await fixture.shared[0].lead([.schedules, .housekeeping], as: claims[0])
            #expect(held == [.schedules, .housekeeping])
        }
    ]

    // MARK: - Devices and links

    /// Creates the app of a clause.
    package static func app(_ fixture: Fixture) async throws -> App {
        try await PushStoreContract.app(in: fixture.data[0])
    }

    /// Registers a device with a token.
    package static func device(
        _ installation: String,
        of app: App,
        in store: any PushStore
    ) async throws -> RegisteredDevice {
        try await PushStoreContract.device(installation, of: app, in: store) { device in
            let octet = UInt8(truncatingIfNeeded: device.id.ordinal)
            device.token = DeviceToken(bytes: [UInt8](repeating: octet, count: 32))
            device.alias = installation
            device.tags = ["red"]
        }
    }

    private static let links: [Clause] = [
        Clause(
            "Of devices with an alias, one without a link to any node makes room, and one with a proof for another with one"
        ) {
            fixture in
            let claims = [try await join(first, fixture), try await join(second, fixture)]
            let app = try await app(fixture)
            var devices: [DeviceID] = []
            for number in 0..<4 {
                let device = try await device("\(number)", of: app, in: fixture.data[0])
                _ = try await fixture.data[0].updateDevice(device.id) { $0.alias = "bob" }
                devices.append(device.id)
            }
            func claim(_ device: DeviceID, isProved: Bool = false, at node: Int) async throws -> [DeviceID] {
                var claim = AliasClaim("bob", at: start, isProved: isProved, room: .unlinked)
                claim.limit = 3
                return try await fixture.shared[node].updateDevice(device, keepingTags: [], claiming: claim) { device in
                    device.setAlias("bob", isProved: isProved)
                }.map(\.id)
            }
            let links = try await fixture.shared[1].enter([devices[0], devices[1]], at: claims[1])
            // Four have it: the one that asks, and the one without a link beside it makes room.
            #expect(Set(try await claim(devices[3], at: 0)) == [devices[3], devices[2]])
            _ = try await fixture.shared[0].enter([devices[3]], at: claims[0])
            await #expect(throws: AliasIsFull("bob")) { try await claim(devices[2], at: 0) }
            let changed = try await claim(devices[2], isProved: true, at: 1)
            #expect(Set(changed) == [devices[2], devices[0]], "A proof counts for more than a link.")
            try await fixture.shared[1].leave(links, at: claims[1])
            #expect(Set(try await claim(devices[0], at: 0)) == [devices[0], devices[1]])
            let holders = try await fixture.data[1].devices(of: app.id, from: 0, limit: 10).filter { $0.alias == "bob" }
            #expect(holders.map(\.id) == [devices[0], devices[2], devices[3]])
            #expect(holders.map(\.isAliasProved) == [false, true, false])
        },
        Clause("A device is where its newest link is, and the node that it has left is told") { fixture in
            let claims = [try await join(first, fixture), try await join(second, fixture)]
            let app = try await app(fixture)
            let device = try await device("ann", of: app, in: fixture.data[0]).id
            let before = try await fixture.shared[0].feedEnd()
            let old = try #require(try await fixture.shared[0].enter([device], at: claims[0])[device])
            var nodes = try await fixture.shared[1].nodes(of: [device])
            #expect(nodes == [device: first])
            let new = try #require(try await fixture.shared[1].enter([device], at: claims[1])[device])
            #expect(new > old)
            nodes = try await fixture.shared[0].nodes(of: [device])
            #expect(nodes == [device: second])
            let page = try await fixture.shared[0].changes(after: before, for: first, limit: 100)
            #expect(page.entries.map(\.change).contains(.linkMoved(device, from: first, number: new)))
            // The end of the old link says nothing about the new one.
            try await fixture.shared[0].leave([device: old], at: claims[0])
            nodes = try await fixture.shared[0].nodes(of: [device])
            #expect(nodes == [device: second])
            try await fixture.shared[1].leave([device: new], at: claims[1])
            nodes = try await fixture.shared[0].nodes(of: [device])
            #expect(nodes.isEmpty)
            let next = try #require(try await fixture.shared[0].enter([device], at: claims[0])[device])
            #expect(next > new)
        },
        Clause("The links of an ended membership are gone, and it opens no more") { fixture in
            let claims = [try await join(first, fixture), try await join(second, fixture)]
            let device = try await device("ann", of: try await app(fixture), in: fixture.data[0]).id
            _ = try await fixture.shared[1].enter([device], at: claims[1])
            try await fixture.letTermPass()
            _ = try await renew(claims[0], fixture)
            _ = try await fixture.shared[0].endExpired(by: claims[0])
            let nodes = try await fixture.shared[0].nodes(of: [device])
            #expect(nodes.isEmpty)
            await #expect(throws: NodeError.fenced(claims[1])) {
                try await fixture.shared[1].enter([device], at: claims[1])
            }
        },
        Clause("A node that joins again keeps its links and their messages, but not those of devices that moved") {
            fixture in
            let claims = [try await join(first, fixture), try await join(second, fixture)]
            let app = try await app(fixture)
            let ann = try await device("ann", of: app, in: fixture.data[0]).id
            let bob = try await device("bob", of: app, in: fixture.data[0]).id
            let links = try await fixture.shared[1].enter([ann, bob], at: claims[1])
            try await fixture.letTermPass()
            _ = try await renew(claims[0], fixture)
            _ = try await fixture.shared[0].endExpired(by: claims[0])
            _ = try await fixture.shared[0].enter([bob], at: claims[0])
            for (number, device) in [ann, bob].enumerated() {
                try await accept(Int64(number + 1), [device.ordinal], of: app, in: fixture.data[0])
            }
            await #expect(throws: NodeError.fenced(claims[1])) {
                try await fixture.shared[1].keep(links, at: claims[1])
            }
            let mail = try await fixture.shared[1].mail(for: second, after: 0, limit: 10, audiencesOf: [app.id])
            #expect(mail.messages.map(\.message.number) == [1], "The link is there still.")
            let again = try await join(second, fixture)
            let kept = try await fixture.shared[1].keep(links, at: again)
            #expect(kept == [ann])
            let nodes = try await fixture.shared[0].nodes(of: [ann, bob])
            #expect(nodes == [ann: second, bob: first])
        },
    ]

    // MARK: - The logs

    private static let feed: [Clause] = [
        Clause("A node reads what others have changed, in its last state, and reads it once") { fixture in
            let app = try await app(fixture)
            let before = try await fixture.shared[1].feedEnd()
            let ann = try await device("ann", of: app, in: fixture.data[0])
            let bob = try await device("bob", of: app, in: fixture.data[0])
            let changed = try await fixture.data[0].updateDevice(ann.id) { $0.tags = ["blue"] }
            let page = try await fixture.shared[1].changes(after: before, for: second, limit: 100)
            var cursor = FeedCursor(reader: second, from: before)
            let work = cursor.advance(over: page)
            #expect(work?.devices == [changed, bob].compactMap { $0?.audienceEntry })
            let rest = try await fixture.shared[1].changes(after: cursor.positions, for: second, limit: 100)
            #expect(rest.entries.isEmpty)
            #expect(!rest.isTruncated)
        },
        Clause("A log is read in parts") { fixture in
            let app = try await app(fixture)
            let before = try await fixture.shared[1].feedEnd()
            var ids: Set<DeviceID> = []
            for number in 0..<5 { ids.insert(try await device("\(number)", of: app, in: fixture.data[0]).id) }
            var cursor = FeedCursor(reader: second, from: before)
            var found: Set<DeviceID> = []
            var pages = 0
            var hasMore = true
            while hasMore, pages < 10 {
                let page = try await fixture.shared[1].changes(after: cursor.positions, for: second, limit: 2)
                #expect(page.entries.count <= 2)
                found.formUnion(cursor.advance(over: page)?.devices.map(\.id) ?? [])
                hasMore = page.hasMore
                pages += 1
            }
            #expect(found == ids)
        },
        Clause("Deleted devices and new apps are in the logs") { fixture in
            let app = try await app(fixture)
            let device = try await device("ann", of: app, in: fixture.data[0]).id
            let before = try await fixture.shared[1].feedEnd()
            _ = try await fixture.data[0].deleteDevices(
                [device.ordinal],
                of: app.id,
                unseenSince: .distantFuture,
                Deletion(days: 1)
            )
            _ = try await fixture.data[0].createApp(
                App(
                    id: 0,
                    key: try #require(AppKey(String(repeating: "b", count: 24))),
                    secretHash: SecretHash(of: "secret"),
                    name: "Second",
                    bundleID: "com.example.second",
                    defaultEnvironment: .production,
                    createdAt: start
                )
            )
            let page = try await fixture.shared[1].changes(after: before, for: second, limit: 100)
            var cursor = FeedCursor(reader: second, from: before)
            let work = cursor.advance(over: page)
            #expect(work?.deleted == [app.id: [device.ordinal]])
            #expect(work?.hasNewApps == true)
        },
        Clause("Devices are found by ordinal and alias, each once") { fixture in
            let app = try await app(fixture)
            let ann = try await device("ann", of: app, in: fixture.data[0])
            let bob = try await device("bob", of: app, in: fixture.data[0])
            _ = try await device("eve", of: app, in: fixture.data[0])
            let names = DeviceNames(ordinals: [ann.id.ordinal, 77], aliases: ["ann", "bob", "nobody"])
            let found = try await fixture.shared[1].lookUp(names, of: app.id)
            #expect(Set(found.devices) == [ann.audienceEntry, bob.audienceEntry])
            #expect(found.devices.count == 2)
        },
        Clause("A node reads the custom messages for its own devices, and those for many") { fixture in
            let claims = [try await join(first, fixture), try await join(second, fixture)]
            let app = try await app(fixture)
            let ann = try await device("ann", of: app, in: fixture.data[0]).id
            let bob = try await device("bob", of: app, in: fixture.data[0]).id
            _ = try await fixture.shared[0].enter([ann], at: claims[0])
            _ = try await fixture.shared[1].enter([bob], at: claims[1])
            let audiences = [[ann.ordinal], [bob.ordinal], [ann.ordinal, bob.ordinal]]
            for (number, audience) in audiences.enumerated() {
                try await accept(Int64(number + 1), audience, of: app, in: fixture.data[number % 2])
            }
            let last = try await fixture.data[0].lastCustomMessage()
            for (shared, node, expected) in [
                (fixture.shared[0], first, [1, 3]), (fixture.shared[1], second, [2, 3]),
            ] {
                let mail = try await shared.mail(for: node, after: 0, limit: 10, audiencesOf: [app.id])
                #expect(mail.messages.map(\.message.number) == expected.map(Int64.init))
                #expect(mail.messages.last?.audience.map(\.ordinals) == [[ann.ordinal, bob.ordinal]])
                #expect(mail.through == last)
                let rest = try await shared.mail(for: node, after: mail.through, limit: 10, audiencesOf: [app.id])
                #expect(rest == NodeMail(messages: [], through: last))
            }
        },
        Clause("All nodes together get the calls of a window, and no more") { fixture in
            var shares = [try await fixture.shared[0].take(6, of: 10, for: "app 1 push")]
            #expect(shares.map(\.calls) == [6])
            #expect(shares[0].left == 4)
            for key in ["app 1 push", "app 2 push"] {
                shares.append(try await fixture.shared[1].take(6, of: 10, for: key))
            }
            #expect(shares.map(\.calls) == [6, 4, 6])
            #expect(shares[1].left == 0)
            #expect(shares[1].window == shares[0].window)
            #expect(shares.allSatisfy { $0.ends > .zero && $0.ends <= .seconds(60) })
        },
        Clause("Windows that are over are deleted, and the next one has all of its calls") { fixture in
            let store = fixture.shared[0]
            let other = fixture.shared[1]
            func take() async throws -> [RateShare] {
                var shares: [RateShare] = []
                for key in ["a", "b", "c"] { shares.append(try await store.take(6, of: 10, for: key)) }
                return shares
            }
            let first = try await take()
            for _ in 0...Int(Duration.seconds(60) / fixture.term) { try await fixture.letTermPass() }
            let window = try await other.take(6, of: 10, for: "young").window
            let hasMore = [try await other.deleteWindows(limit: 2), try await store.deleteWindows(limit: 2)]
            #expect(hasMore == [true, false])
            let next = try await take()
            #expect(next.map(\.calls) == [6, 6, 6])
            #expect(zip(first, next).allSatisfy { $0.window != $1.window })
            let rest = try await store.take(6, of: 10, for: "young")
            #expect(rest.calls == 4, "A window that is not over stays.")
            #expect(rest.window == window)
        },
    ]

    private static func accept(
        _ id: Int64,
        _ audience: [DeviceOrdinal],
        of app: App,
        in store: any PushStore
    ) async throws {
        let message = PushStoreContract.message(id, of: app.id, body: Array("body \(id)".utf8))
        let chunk = PushStoreContract.chunk(message, 0, audience, kind: .message)
        _ = try await store.accept(
            [PreparedPush(message: message, chunks: [chunk], isPaced: false)],
            cidsSince: .distantPast
        )
    }
}
