import Foundation
import Logging
import PostgresClient
import PushClock
import PushService
import PushStorePostgres

/// Makes a service a node of a PostgreSQL store.
struct NodeJoining: Sendable {
    let configuration: PostgresConfiguration
    /// The nodes that the store knows.
    let known: any NodeStore
    let folder: DataFolder
    let clock: any CivilClock
    let logger: Logger

    /// The longest time to wait for the lease of a process that was killed.
    private static let patience = NodeLease.term * 2
    /// The time between two attempts to take a number.
    private static let pause = Duration.milliseconds(250)

    /// Joins under the given number; without one, under that of the last run, or else under the first that is free.
    ///
    /// - Throws: `NodeError.taken` if the given number belongs to another process; the error of the store.
    func join(as identity: NodeIdentity) async throws -> ServiceStore {
        let store = try await joined(as: identity)
        if let node = store.node { try folder.noteNode(node.membership.node.rawValue) }
        return store
    }

    private func joined(as identity: NodeIdentity) async throws -> ServiceStore {
        if let own = (identity.number ?? folder.node).map(NodeID.init(rawValue:)) {
            do { return try await join(own, identity, within: Self.patience) } catch NodeError.taken
                where identity.number == nil
            {
                // The folder is a copy of that of a node which runs.
                logger.notice("Another process is node \(own); this one takes a free number")
            }
        }
        while true {
            let taken = Set(try await known.nodes().filter(\.isAlive).map(\.claim.node.rawValue))
            let free = (1...Int16.max).first { !taken.contains($0) } ?? 1
            // Of several that take the same number, one gets it.
            do { return try await join(NodeID(rawValue: free), identity, within: .zero) } catch NodeError.taken {}
            try await Task.sleep(for: Self.pause)
        }
    }

    private func join(
        _ node: NodeID,
        _ identity: NodeIdentity,
        within patience: Duration
    ) async throws -> ServiceStore {
        let end = ContinuousClock.now + patience
        var isTold = false
        while true {
            do { return try await join(node, identity) } catch let error as NodeError {
                guard ContinuousClock.now < end else { throw error }
                if !isTold {
                    logger.notice("Node \(node) has a lease still; this process waits for its end")
                    isTold = true
                }
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    private func join(_ node: NodeID, _ identity: NodeIdentity) async throws -> ServiceStore {
        var configuration = configuration
        configuration.givingUp = PostgresGivingUp()
        let store = PostgresStore(PostgresPool(configuration, logger: logger), node: node.rawValue) {
            [logger] in logger.error("A damaged row was skipped", metadata: ["error": "\($0)"])
        }
        let bell = PostgresBell(configuration, node: node, clock: clock, logger: logger)
        do {
            let context = try await NodeContext(
                joining: node,
                name: identity.name,
                version: identity.version,
                store: store,
                bell: bell,
                clock: clock,
                logger: logger
            )
            configuration.givingUp.apply { [membership = context.membership] in membership.isStranded }
            return ServiceStore(store, bell: bell, node: context)
        } catch {
            await bell.close()
            await store.close()
            throw error
        }
    }
}

/// The number and the name of a node, as set.
package struct NodeIdentity: Sendable {
    /// The number; nil for any that is free.
    let number: Int16?
    let name: String
    let version: String

    /// - Parameters:
    ///   - number: the number, from 1; nil for any that is free.
    ///   - name: the name for operators.
    ///   - version: the version of Posthorn.
    package init(number: Int16?, name: String = NodeIdentity.hostName, version: String) {
        self.number = number
        self.name = name
        self.version = version
    }

    /// The name of this machine.
    package static var hostName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "unknown" }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
