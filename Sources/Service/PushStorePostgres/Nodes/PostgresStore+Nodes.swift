import Foundation
import PostgresClient
package import PushService
import PushStoreSQL

extension PostgresStore: NodeStore {
    package func join(_ node: NodeID, name: String, status: NodeStatus, for term: Duration) async throws -> NodeClaim {
        try await writeMembership { session in
            let connection = session.connection
            // The row of a node that has never joined, so that there is one to lock.
            try connection.execute(
                """
                INSERT INTO node (id, fence, name, version, links, lanes, lag, leasedUntil, isOver, isDraining)
                VALUES ($1, 0, '', '', 0, 0, 0, 0, true, false) ON CONFLICT DO NOTHING
                """,
                .node(node)
            )
            let row = try connection.execute(
                "SELECT fence, NOT isOver, leasedUntil > \(Self.serverTime) FROM node WHERE id = $1 FOR UPDATE",
                .node(node)
            ).first
            guard let row else { throw CorruptRow(table: "node", column: "id", found: "no row") }
            let before = NodeClaim(node: node, fence: row.int64(0))
            if row.bool(1) {
                guard !row.bool(2) else { throw NodeError.taken(node) }
                try Self.release(before, in: connection)
            }
            let claim = NodeClaim(node: node, fence: before.fence + 1)
            try connection.execute(
                """
                UPDATE node SET fence = $2, name = $3, version = $4, links = $5, lanes = $6, lag = $7,
                    leasedUntil = \(Self.serverTime) + $8, isOver = false, isDraining = false
                WHERE id = $1
                """,
                .node(node),
                .int64(claim.fence),
                .text(name),
                .text(status.version),
                .int64(Int64(status.links)),
                .int64(Int64(status.lanes)),
                .int64(Int64(status.lag)),
                .milliseconds(term)
            )
            return claim
        }
    }

    package func renew(_ claim: NodeClaim, status: NodeStatus, for term: Duration) async throws -> NodeHeartbeat {
        try await Self.reporting {
            try await membershipPool.run { connection in
                let row = try connection.execute(
                    """
                    WITH renewed AS (
                        UPDATE node SET version = $3, links = $4, lanes = $5, lag = $6, leasedUntil = \(Self.serverTime) + $7
                        WHERE id = $1 AND fence = $2 AND NOT isOver
                        RETURNING isDraining
                    )
                    SELECT isDraining, 1 + (
                            SELECT count(*) FROM node WHERE id <> $1 AND NOT isOver AND leasedUntil > \(Self.serverTime)
                        ), extract(epoch FROM clock_timestamp())::float8
                    FROM renewed
                    """,
                    .node(claim.node),
                    .int64(claim.fence),
                    .text(status.version),
                    .int64(Int64(status.links)),
                    .int64(Int64(status.lanes)),
                    .int64(Int64(status.lag)),
                    .milliseconds(term)
                ).first
                guard let row else { throw NodeError.fenced(claim) }
                return NodeHeartbeat(
                    isDraining: row.bool(0),
                    aliveNodes: row.int(1),
                    date: Date(timeIntervalSince1970: row.double(2))
                )
            }
        }
    }

    package func leave(_ claim: NodeClaim) async throws {
        try await writeMembership { session in
            let found = try session.connection.execute(
                "SELECT 1 FROM node WHERE id = $1 AND fence = $2 AND NOT isOver FOR UPDATE",
                .node(claim.node),
                .int64(claim.fence)
            )
            if !found.isEmpty { try Self.end(claim, in: session.connection) }
        }
    }

    package func endExpired(by claim: NodeClaim) async throws -> [NodeClaim] {
        try await writeMembership { session in
            try Self.check(claim, in: session.connection)
            // A row that is locked is being renewed, or ended by another node; the next heartbeat looks again.
            let expired = try session.connection.execute(
                """
                SELECT id, fence FROM node WHERE id <> $1 AND NOT isOver AND leasedUntil <= \(Self.serverTime)
                ORDER BY id FOR UPDATE SKIP LOCKED
                """,
                .node(claim.node)
            ).map { NodeClaim(node: $0.node(0), fence: $0.int64(1)) }
            for other in expired { try Self.end(other, in: session.connection) }
            return expired
        }
    }

    package func nodes() async throws -> [NodeRecord] {
        try await readOnce { connection in
            try connection.execute(
                """
                SELECT id, fence, name, version, links, lanes, lag, NOT isOver AND leasedUntil > \(Self.serverTime), isDraining
                FROM node ORDER BY id
                """
            ).map { row in
                NodeRecord(
                    claim: NodeClaim(node: row.node(0), fence: row.int64(1)),
                    name: row.text(2),
                    status: NodeStatus(version: row.text(3), links: row.int(4), lanes: row.int(5), lag: row.int(6)),
                    isAlive: row.bool(7),
                    isDraining: row.bool(8)
                )
            }
        }
    }

    package func setDraining(_ isDraining: Bool, _ node: NodeID) async throws -> Bool {
        try await write { session in
            try session.connection.execute(
                "UPDATE node SET isDraining = $2 WHERE id = $1",
                .node(node),
                .bool(isDraining)
            ).affected > 0
        }
    }

    /// Ends a membership whose row is locked.
    private static func end(_ claim: NodeClaim, in connection: PostgresConnection) throws {
        try connection.execute("UPDATE node SET isOver = true WHERE id = $1", .node(claim.node))
        try release(claim, in: connection)
    }

    /// Releases the chunks of a membership that is over. Its roles and links end by themselves.
    private static func release(_ claim: NodeClaim, in connection: PostgresConnection) throws {
        try StoreSession(connection).releaseLeases(of: claim.owner)
    }

    /// Checks that a membership is not over, and keeps it from ending before the transaction does.
    ///
    /// The lock does not exclude heartbeats.
    ///
    /// - Throws: ``NodeError/fenced(_:)``
    static func check(_ claim: NodeClaim, in connection: PostgresConnection) throws {
        let found = try connection.execute(
            "SELECT 1 FROM node WHERE id = $1 AND fence = $2 AND NOT isOver FOR KEY SHARE",
            .node(claim.node),
            .int64(claim.fence)
        )
        guard !found.isEmpty else { throw NodeError.fenced(claim) }
    }
}

extension PostgresValue {
    static func node(_ node: NodeID) -> PostgresValue { .int64(Int64(node.rawValue)) }

    /// The whole milliseconds of a duration, rounded up.
    static func milliseconds(_ duration: Duration) -> PostgresValue {
        .int64(Int64((duration / .milliseconds(1)).rounded(.up)))
    }
}

extension PostgresRow {
    func node(_ column: Int) -> NodeID { NodeID(rawValue: Int16(truncatingIfNeeded: int64(column))) }
}

extension PostgresStore: LeaderStore {
    package func lead(_ roles: Set<LeaderRole>, as claim: NodeClaim) async throws -> Set<LeaderRole> {
        try await writeMembership { session in
            try Self.check(claim, in: session.connection)
            let held = Self.roles(
                try session.connection.execute(
                    "SELECT role FROM leader WHERE node = $1 AND fence = $2",
                    .node(claim.node),
                    .int64(claim.fence)
                )
            )
            // The usual heartbeat changes nothing, and then writes nothing.
            guard held != roles else { return held }
            // Sorted, so that two nodes take the rows in the same order.
            let names = PostgresValue.texts(roles.map(\.rawValue).sorted())
            try session.connection.execute(
                "DELETE FROM leader WHERE node = $1 AND fence = $2 AND role <> ALL ($3::text[])",
                .node(claim.node),
                .int64(claim.fence),
                names
            )
            guard !held.isSuperset(of: roles) else { return roles }
            try session.connection.execute(
                """
                INSERT INTO leader AS held (role, node, fence) SELECT role, $1, $2 FROM unnest($3::text[]) AS wanted (role)
                ON CONFLICT (role) DO UPDATE SET node = excluded.node, fence = excluded.fence
                WHERE NOT EXISTS (SELECT 1 FROM node WHERE id = held.node AND fence = held.fence AND NOT isOver)
                """,
                .node(claim.node),
                .int64(claim.fence),
                names
            )
            return Self.roles(
                try session.connection.execute(
                    "SELECT role FROM leader WHERE role = ANY ($3::text[]) AND node = $1 AND fence = $2",
                    .node(claim.node),
                    .int64(claim.fence),
                    names
                )
            )
        }
    }

    private static func roles(_ rows: PostgresRows) -> Set<LeaderRole> {
        Set(rows.compactMap { LeaderRole(rawValue: $0.text(0)) })
    }

    package func resign(_ claim: NodeClaim) async throws {
        try await writeMembership { session -> Void in
            try session.connection.execute(
                "DELETE FROM leader WHERE node = $1 AND fence = $2",
                .node(claim.node),
                .int64(claim.fence)
            )
        }
    }
}
