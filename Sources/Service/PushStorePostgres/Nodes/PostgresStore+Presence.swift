import PostgresClient
package import PushService
import PushStoreSQL

extension PostgresStore: PresenceStore {
    package func enter(_ devices: [DeviceID], at claim: NodeClaim) async throws -> [DeviceID: Int64] {
        guard !devices.isEmpty else { return [:] }
        return try await write { session in
            try Self.check(claim, in: session.connection)
            let sorted = devices.sorted { ($0.app, $0.ordinal) < ($1.app, $1.ordinal) }
            let rows = try session.connection.execute(
                Self.enterLinks,
                .node(claim.node),
                .int64(claim.fence),
                .int64s(sorted.map { Int64($0.app) }),
                .int64s(sorted.map { Int64($0.ordinal) })
            )
            var numbers: [DeviceID: Int64] = [:]
            var moves: [NewLogEntry] = []
            for row in rows {
                let device = DeviceID(row)
                let number = row.int64(2)
                numbers[device] = number
                if let left = row.optionalInt64(3) { moves.append(.linkMoved(device, from: left, number: number)) }
            }
            try session.addToLog(moves)
            return numbers
        }
    }

    /// Opens links at node `$1` under fencing number `$2`; `$3` and `$4`: apps and ordinals, in ascending order.
    ///
    /// Returns app, ordinal, number, and the other node at which the device had a link.
    private static let enterLinks = """
        INSERT INTO link AS known (app, ordinal, number, node, fence)
        SELECT device.app, device.ordinal, 1, $1, $2
        FROM unnest($3::bigint[], $4::bigint[]) AS given (app, ordinal)
        JOIN device ON device.app = given.app AND device.ordinal = given.ordinal
        ORDER BY device.app, device.ordinal
        ON CONFLICT (app, ordinal) DO UPDATE SET number = known.number + 1, node = excluded.node, fence = excluded.fence,
            leftNode = known.node, leftFence = known.fence
        RETURNING app, ordinal, number, (
            SELECT id FROM node
            WHERE node.id = known.leftNode AND node.id <> $1 AND node.fence = known.leftFence AND NOT node.isOver
        )
        """

    package func keep(_ links: [DeviceID: Int64], at claim: NodeClaim) async throws -> Set<DeviceID> {
        guard !links.isEmpty else { return [] }
        let sorted = links.sorted { ($0.key.app, $0.key.ordinal) < ($1.key.app, $1.key.ordinal) }
        return try await write { session in
            try Self.check(claim, in: session.connection)
            let rows = try session.connection.execute(
                """
                WITH known AS (
                    SELECT link.app, link.ordinal FROM link
                    JOIN unnest($3::bigint[], $4::bigint[], $5::bigint[]) AS given (app, ordinal, number)
                        ON link.app = given.app AND link.ordinal = given.ordinal AND link.number = given.number
                    WHERE node = $1 ORDER BY link.app, link.ordinal FOR UPDATE OF link
                )
                UPDATE link SET fence = $2 FROM known WHERE link.app = known.app AND link.ordinal = known.ordinal
                RETURNING link.app, link.ordinal
                """,
                .node(claim.node),
                .int64(claim.fence),
                .int64s(sorted.map { Int64($0.key.app) }),
                .int64s(sorted.map { Int64($0.key.ordinal) }),
                .int64s(sorted.map(\.value))
            )
            return Set(rows.map { DeviceID($0) })
        }
    }

    package func leave(_ links: [DeviceID: Int64], at claim: NodeClaim) async throws {
        guard !links.isEmpty else { return }
        let sorted = links.sorted { ($0.key.app, $0.key.ordinal) < ($1.key.app, $1.key.ordinal) }
        try await write { session -> Void in
            try session.connection.execute(
                """
                WITH ended AS (
                    SELECT link.app, link.ordinal FROM link
                    JOIN unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS given (app, ordinal, number)
                        ON link.app = given.app AND link.ordinal = given.ordinal AND link.number = given.number
                    WHERE node IS NOT NULL ORDER BY link.app, link.ordinal FOR UPDATE OF link
                )
                UPDATE link SET node = NULL, fence = NULL FROM ended
                WHERE link.app = ended.app AND link.ordinal = ended.ordinal
                """,
                .int64s(sorted.map { Int64($0.key.app) }),
                .int64s(sorted.map { Int64($0.key.ordinal) }),
                .int64s(sorted.map(\.value))
            )
        }
    }

    package func nodes(of devices: [DeviceID]) async throws -> [DeviceID: NodeID] {
        guard !devices.isEmpty else { return [:] }
        return try await readOnce { connection in
            let rows = try connection.execute(
                """
                SELECT link.app, link.ordinal, link.node FROM link
                JOIN unnest($1::bigint[], $2::bigint[]) AS given (app, ordinal) ON link.app = given.app AND link.ordinal = given.ordinal
                JOIN node ON node.id = link.node AND node.fence = link.fence AND NOT isOver
                """,
                .int64s(devices.map { Int64($0.app) }),
                .int64s(devices.map { Int64($0.ordinal) })
            )
            return Dictionary(rows.map { (DeviceID($0), $0.node(2)) }, uniquingKeysWith: { first, _ in first })
        }
    }
}

extension DeviceID {
    /// Reads app and ordinal, in this order.
    fileprivate init(_ row: PostgresRow) {
        self.init(app: App.ID(truncatingIfNeeded: row.int64(0)), ordinal: row.ordinal(1))
    }
}
