import Foundation
import PostgresClient
package import PushService
import PushStoreSQL

extension PostgresStore: NodeStore {
    package func join(_ node: NodeID, name: String, status: NodeStatus, for term: Duration) async throws -> NodeClaim {
        try await writeMembership { session in
            let id = node.rawValue
            // The row of a node that has never joined, so that there is one to lock.
            try session.execute(
                """
                INSERT INTO node (id, fence, name, version, links, lanes, lag, leasedUntil, isOver, isDraining)
                VALUES (\(id), 0, '', '', 0, 0, 0, 0, true, false) ON CONFLICT DO NOTHING
                """
            )
            let row = try session.first(
                "SELECT fence, NOT isOver, leasedUntil > \(raw: Self.serverTime) FROM node WHERE id = \(id) FOR UPDATE"
            ) { (fence: $0.int64(0), isMember: $0.bool(1), isAlive: $0.bool(2)) }
            guard let row else { throw CorruptRow(table: "node", column: "id", found: "no row") }
            if row.isMember {
                guard !row.isAlive else { throw NodeError.taken(node) }
                try session.releaseLeases(of: NodeClaim(node: node, fence: row.fence).owner)
            }
            let claim = NodeClaim(node: node, fence: row.fence + 1)
            try session.execute(
                """
                UPDATE node SET fence = \(claim.fence), name = \(name), version = \(status.version), links = \(status.links),
                    lanes = \(status.lanes), lag = \(status.lag), leasedUntil = \(raw: Self.serverTime) + \(milliseconds: term),
                    isOver = false, isDraining = false
                WHERE id = \(id)
                """
            )
            return claim
        }
    }

    package func renew(_ claim: NodeClaim, status: NodeStatus, for term: Duration) async throws -> NodeHeartbeat {
        try await Self.reporting {
            try await membershipPool.run { connection in
                let id = claim.node.rawValue
                let heartbeat = try StoreSession(connection).first(
                    """
                    WITH renewed AS (
                        UPDATE node SET version = \(status.version), links = \(status.links), lanes = \(status.lanes),
                            lag = \(status.lag), leasedUntil = \(raw: Self.serverTime) + \(milliseconds: term)
                        WHERE id = \(id) AND fence = \(claim.fence) AND NOT isOver
                        RETURNING isDraining
                    )
                    SELECT isDraining, 1 + (
                            SELECT count(*) FROM node
                            WHERE id <> \(id) AND NOT isOver AND leasedUntil > \(raw: Self.serverTime)
                        ), (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
                    FROM renewed
                    """
                ) { row in
                    NodeHeartbeat(
                        isDraining: row.bool(0),
                        aliveNodes: row.int(1),
                        date: Date(timeIntervalSince1970: Double(row.int64(2)) / 1_000_000)
                    )
                }
                guard let heartbeat else { throw NodeError.fenced(claim) }
                return heartbeat
            }
        }
    }

    package func leave(_ claim: NodeClaim) async throws {
        try await writeMembership { session in
            let key: SQLStatement = "id = \(claim.node.rawValue) AND fence = \(claim.fence) AND NOT isOver"
            let isMember = try session.first("SELECT 1 FROM node WHERE \(key) FOR UPDATE") { _ in true } ?? false
            if isMember { try Self.end(claim, in: session) }
        }
    }

    package func endExpired(by claim: NodeClaim) async throws -> [NodeClaim] {
        try await writeMembership { session in
            try Self.check(claim, in: session)
            // A row that is locked is being renewed, or ended by another node; the next heartbeat looks again.
            let expired = try session.rows(
                """
                SELECT id, fence FROM node
                WHERE id <> \(claim.node.rawValue) AND NOT isOver AND leasedUntil <= \(raw: Self.serverTime)
                ORDER BY id FOR UPDATE SKIP LOCKED
                """
            ) { NodeClaim(node: $0.node(0), fence: $0.int64(1)) }
            for other in expired { try Self.end(other, in: session) }
            return expired
        }
    }

    package func nodes() async throws -> [NodeRecord] {
        try await rows(
            """
            SELECT id, fence, name, version, links, lanes, lag, NOT isOver AND leasedUntil > \(raw: Self.serverTime), isDraining
            FROM node ORDER BY id
            """
        ) { row in
            NodeRecord(
                claim: NodeClaim(node: row.node(0), fence: row.int64(1)),
                name: row.text(2),
                status: NodeStatus(version: row.text(3), links: row.int(4), lanes: row.int(5), lag: row.int(6)),
                isAlive: row.bool(7),
                isDraining: row.bool(8)
            )
        }
    }

    package func setDraining(_ isDraining: Bool, _ node: NodeID) async throws -> Bool {
        try await execute("UPDATE node SET isDraining = \(isDraining) WHERE id = \(node.rawValue)") > 0
    }

    /// Ends a membership whose row is locked, and releases its chunks. Its roles and links end by themselves.
    private static func end(_ claim: NodeClaim, in session: StoreSession) throws {
        session.queue("UPDATE node SET isOver = true WHERE id = \(claim.node.rawValue)")
        try session.releaseLeases(of: claim.owner)
    }

    /// Checks that a membership is not over, and keeps it from ending before the transaction does.
    ///
    /// The lock does not exclude heartbeats.
    ///
    /// - Throws: ``NodeError/fenced(_:)``
    static func check(_ claim: NodeClaim, in session: StoreSession) throws {
        let found = try session.first(
            "SELECT 1 FROM node WHERE id = \(claim.node.rawValue) AND fence = \(claim.fence) AND NOT isOver FOR KEY SHARE"
        ) { _ in true }
        guard found != nil else { throw NodeError.fenced(claim) }
    }
}

extension SQLStatement.StringInterpolation {
    /// Adds the whole milliseconds of a duration, rounded up.
    mutating func appendInterpolation(milliseconds duration: Duration) {
        appendInterpolation(Int64((duration / .milliseconds(1)).rounded(.up)))
    }
}

extension SQLRow {
    func node(_ column: Int) -> NodeID { NodeID(rawValue: Int16(truncatingIfNeeded: int64(column))) }
}

extension PostgresStore: LeaderStore {
    package func lead(_ roles: Set<LeaderRole>, as claim: NodeClaim) async throws -> Set<LeaderRole> {
        try await writeMembership { session in
            try Self.check(claim, in: session)
            let key: SQLStatement = "node = \(claim.node.rawValue) AND fence = \(claim.fence)"
            let held = try Self.roles("SELECT role FROM leader WHERE \(key)", in: session)
            // The usual heartbeat changes nothing, and then writes nothing.
            guard held != roles else { return held }
            // Sorted, so that two nodes take the rows in the same order.
            let names = roles.map(\.rawValue).sorted()
            session.queue("DELETE FROM leader WHERE \(key) AND role <> ALL (\(names)::text[])")
            guard !held.isSuperset(of: roles) else { return roles }
            try session.execute(
                """
                INSERT INTO leader AS held (role, node, fence)
                SELECT role, \(claim.node.rawValue), \(claim.fence) FROM unnest(\(names)::text[]) AS wanted (role)
                ON CONFLICT (role) DO UPDATE SET node = excluded.node, fence = excluded.fence
                WHERE NOT EXISTS (SELECT 1 FROM node WHERE id = held.node AND fence = held.fence AND NOT isOver)
                """
            )
            return try Self.roles("SELECT role FROM leader WHERE role = ANY (\(names)::text[]) AND \(key)", in: session)
        }
    }

    private static func roles(_ query: SQLStatement, in session: StoreSession) throws -> Set<LeaderRole> {
        Set(try session.rows(query) { LeaderRole(rawValue: $0.text(0)) }.compactMap(\.self))
    }

    package func resign(_ claim: NodeClaim) async throws {
        try await writeMembership { session in
            session.queue("DELETE FROM leader WHERE node = \(claim.node.rawValue) AND fence = \(claim.fence)")
        }
    }
}
