import PostgresClient
package import PushService

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
