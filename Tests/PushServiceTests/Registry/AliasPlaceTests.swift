import Foundation
import Logging
import PostgresClient
import PostgresTestSupport
import PushModel
import PushService
import PushStoreConformance
import TestSupport
import Testing

@testable import PushStorePostgres

@Suite("Places under an alias, of two nodes on one database", .suiteLimit)
struct AliasPlaceTests {
    private static let start = PushStoreContract.start
    private static let limit = JPushLimits.devicesPerAlias

    /// Two nodes with pools of their own, and an app.
    private struct Nodes {
        var stores: [PostgresStore]
        var app: App

        func close() async { for store in stores { await store.close() } }

        func devices(_ count: Int, prefix: String) async throws -> [RegisteredDevice] {
            var made: [RegisteredDevice] = []
            for number in 0..<count {
                made.append(try await PushStoreContract.device("\(prefix)\(number)", of: app, in: stores[number % 2]))
            }
            return made
        }

        /// The number of devices with an alias.
        func count(_ alias: String) async throws -> Int {
            try await stores[0].devices(of: app.id, from: 0, limit: 10_000).count { $0.alias == alias }
        }
    }

    private func withNodes(_ body: (Nodes) async throws -> Void) async throws {
        let url = try await PostgresDatabase.make()
        let stores = try (1...2).map { node in
            let configuration = try PostgresConfiguration(url: url, connections: 4)
            return PostgresStore(PostgresPool(configuration, logger: Logger(label: "tests")), node: Int16(node))
        }
        let app = try await PushStoreContract.app(in: stores[0])
        let nodes = Nodes(stores: stores, app: app)
        do { try await body(nodes) } catch {
            await nodes.close()
            throw error
        }
        await nodes.close()
    }

    /// - Returns: whether the device has got the alias.
    private static func set(_ alias: String, of device: DeviceID, in store: PostgresStore) async throws -> Bool {
        let claim = AliasClaim(alias, at: start)
        do {
            _ = try await store.updateDevice(device, keepingTags: [], claiming: claim) { $0.alias = alias }
            return true
        } catch let error as AliasIsFull {
            #expect(error == AliasIsFull(alias))
            return false
        }
    }

    @Test("As many devices get an alias as may have it when many take it at once at both nodes")
    func concurrent() async throws {
        try await withNodes { nodes in
            let devices = try await nodes.devices(40, prefix: "d")
            let taken = try await withThrowingTaskGroup(of: Bool.self, returning: Int.self) { group in
                for (number, device) in devices.enumerated() {
                    let store = nodes.stores[number / 2 % 2]
                    group.addTask { try await Self.set("a", of: device.id, in: store) }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(taken == Self.limit)
            #expect(try await nodes.count("a") == Self.limit)

            // A device that has the alias may set it again; one that gives it up makes place; an inactive one takes none.
            let holders = try await nodes.stores[0].devices(of: nodes.app.id, from: 0, limit: 100).filter {
                $0.alias == "a"
            }
            let others = devices.map(\.id).filter { id in !holders.contains { $0.id == id } }
            #expect(try await Self.set("a", of: holders[0].id, in: nodes.stores[1]))
            #expect(try await Self.set("b", of: holders[0].id, in: nodes.stores[1]))
            #expect(try await Self.set("a", of: others[0], in: nodes.stores[0]))
            #expect(try await !Self.set("a", of: others[1], in: nodes.stores[0]))
            _ = try await nodes.stores[0].updateDevice(holders[1].id) {
                $0.lastSeen = Self.start.addingTimeInterval(-TimeInterval((JPushLimits.inactiveDays + 2) * 86_400))
            }
            #expect(try await Self.set("a", of: others[1], in: nodes.stores[1]))
            #expect(try await !Self.set("a", of: others[2], in: nodes.stores[1]))
        }
    }

    @Test("Rows of files that both nodes import at once get no more places, and the rest of the rows are imported")
    func imports() async throws {
        try await withNodes { nodes in
            let taken = try await withThrowingTaskGroup(of: ImportResult.self, returning: [ImportResult].self) {
                group in
                for file in 0..<6 {
                    let store = nodes.stores[file % 2]
                    let rows = (0..<8).map { number -> (row: DeviceImport, own: DeviceOrdinal?) in
                        let bytes = [UInt8](repeating: UInt8(file), count: 31) + [UInt8(number)]
                        var row = DeviceImport(token: DeviceToken(bytes: bytes))
                        // In different orders, which must not block the files.
                        row.alias = .set((file + number) % 2 == 0 ? "a" : "b")
                        return (row, nil)
                    }
                    group.addTask {
                        try await store.importDevices(
                            rows,
                            of: nodes.app.id,
                            environment: .production,
                            installation: "file\(file)",
                            seenAt: Self.start
                        )
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(try await nodes.count("a") == Self.limit)
            #expect(try await nodes.count("b") == Self.limit)
            #expect(taken.reduce(0) { $0 + $1.outcomes.count } == 2 * Self.limit)
            #expect(taken.reduce(0) { $0 + $1.withFullAlias.count } == 48 - 2 * Self.limit)
        }
    }
}
