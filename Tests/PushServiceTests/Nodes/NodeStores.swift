import Foundation
import PostgresClient
import PostgresTestSupport
import PushClock
import PushModel
import PushService
import PushStorePostgres
import PushStoreSQLite
import Testing

/// The stores on which services of one test are nodes.
struct NodeStores: Sendable {
    /// The kinds of stores that tests run on.
    enum Kind: Sendable, CaseIterable, CustomTestStringConvertible {
        /// One SQLite file, and ``NodesInMemory``.
        case memory
        /// A database on the tests' PostgreSQL server.
        case postgres

        var testDescription: String { self == .memory ? "in memory" : "in PostgreSQL" }
    }

    /// A node's place among them.
    struct Place: Sendable {
        var data: any PushStore
        var shared: any SharedStore
        var bell: any Bell
    }

    let folder: URL
    /// The address of the database; nil in memory.
    var url: String?
    /// Returns what node `number`, from 1, needs.
    let place: @Sendable (Int16) throws -> Place
    /// Brings the clock of the store up to date.
    let updateTime: @Sendable () async throws -> Void
    let close: @Sendable () async -> Void

    static func memory(in folder: URL, clock: VirtualClock, isDeaf: Bool) throws -> NodeStores {
        let store = try SQLiteStore(path: folder.appending(path: "posthorn.sqlite").path)
        let shared = NodesInMemory(store, in: folder, clock: clock)
        let tower = BellInMemory(clock: clock, isDeaf: isDeaf)
        return NodeStores(
            folder: folder,
            place: { _ in Place(data: store, shared: shared, bell: tower.makeEnd()) },
            updateTime: {},
            close: {}
        )
    }

    /// Creates stores on a new database, whose clock is the virtual one.
    static func postgres(
        in folder: URL,
        clock: VirtualClock,
        nodes: Int,
        isDeaf: Bool,
        server: PostgresServer?
    ) async throws -> NodeStores {
        let url = try await PostgresDatabase.make(on: server)
        let control = try PostgresDatabase.pool(url)
        try await StoreTime.control(control, at: clock.date)
        // A connection that was opened before the clock is under control does not use it.
        await control.close()
        let pool = try PostgresDatabase.pool(url)
        let stores = try (1...nodes).map { PostgresStore(try PostgresDatabase.pool(url), node: Int16($0)) }
        let tower = BellInMemory(clock: clock, isDeaf: isDeaf)
        let bells = try (1...nodes).map { node in
            PostgresBell(
                try PostgresConfiguration(url: url),
                node: NodeID(rawValue: Int16(node)),
                clock: clock,
                logger: silent
            )
        }
        return NodeStores(
            folder: folder,
            url: url,
            place: { number in
                let store = stores[Int(number) - 1]
                let bell: any Bell = isDeaf ? tower.makeEnd() : bells[Int(number) - 1]
                return Place(data: store, shared: store, bell: bell)
            },
            updateTime: { try await StoreTime.move(pool, to: clock.date) },
            close: {
                for bell in bells { await bell.close() }
                for store in stores { await store.close() }
                await pool.close()
            }
        )
    }
}
