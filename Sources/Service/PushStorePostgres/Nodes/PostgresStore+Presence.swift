import PostgresClient
package import PushService
import PushStoreSQL

extension PostgresStore: PresenceStore {
    package func enter(_ devices: [DeviceID], at claim: NodeClaim) async throws -> [DeviceID: Int64] {
        guard !devices.isEmpty else { return [:] }
        return try await change { session in
            try Self.check(claim, in: session)
            let sorted = devices.sorted { ($0.app, $0.ordinal) < ($1.app, $1.ordinal) }
            let apps = sorted.map(\.app)
            let ordinals = sorted.map(\.ordinal)
            let id = claim.node.rawValue
            // The last column is the other node at which the device had a link.
            let links = try session.rows(
                """
                INSERT INTO link AS known (app, ordinal, number, node, fence)
                SELECT device.app, device.ordinal, 1, \(id), \(claim.fence)
                FROM unnest(\(numbers: apps)::bigint[], \(numbers: ordinals)::bigint[]) AS given (app, ordinal)
                JOIN device ON device.app = given.app AND device.ordinal = given.ordinal
                ORDER BY device.app, device.ordinal
                ON CONFLICT (app, ordinal) DO UPDATE SET number = known.number + 1, node = excluded.node, fence = excluded.fence,
                    leftNode = known.node, leftFence = known.fence
                RETURNING app, ordinal, number, (
                    SELECT id FROM node
                    WHERE node.id = known.leftNode AND node.id <> \(id) AND node.fence = known.leftFence AND NOT node.isOver
                )
                """
            ) { (device: DeviceID($0), number: $0.int64(2), left: $0.optionalInt64(3)) }
            try session.addToLog(
                links.compactMap { link in link.left.map { .linkMoved(link.device, from: $0, number: link.number) } }
            )
            return Dictionary(links.map { ($0.device, $0.number) }) { $1 }
        }
    }

    package func keep(_ links: [DeviceID: Int64], at claim: NodeClaim) async throws -> Set<DeviceID> {
        guard !links.isEmpty else { return [] }
        return try await change { session in
            try Self.check(claim, in: session)
            let kept = try session.rows(
                """
                WITH known AS (
                    SELECT link.app, link.ordinal FROM link JOIN \(Self.given(links))
                        ON link.app = given.app AND link.ordinal = given.ordinal AND link.number = given.number
                    WHERE node = \(claim.node.rawValue) ORDER BY link.app, link.ordinal FOR UPDATE OF link
                )
                UPDATE link SET fence = \(claim.fence) FROM known WHERE link.app = known.app AND link.ordinal = known.ordinal
                RETURNING link.app, link.ordinal
                """
            ) { DeviceID($0) }
            return Set(kept)
        }
    }

    /// Returns the numbers of links as a table.
    private static func given(_ links: [DeviceID: Int64]) -> SQLStatement {
        let sorted = links.sorted { ($0.key.app, $0.key.ordinal) < ($1.key.app, $1.key.ordinal) }
        let apps = sorted.map(\.key.app)
        let ordinals = sorted.map(\.key.ordinal)
        let numbers = sorted.map(\.value)
        return """
            unnest(\(numbers: apps)::bigint[], \(numbers: ordinals)::bigint[], \(numbers: numbers)::bigint[])
                AS given (app, ordinal, number)
            """
    }

    package func leave(_ links: [DeviceID: Int64], at claim: NodeClaim) async throws {
        guard !links.isEmpty else { return }
        try await execute(
            """
            WITH ended AS (
                SELECT link.app, link.ordinal FROM link JOIN \(Self.given(links))
                    ON link.app = given.app AND link.ordinal = given.ordinal AND link.number = given.number
                WHERE node IS NOT NULL ORDER BY link.app, link.ordinal FOR UPDATE OF link
            )
            UPDATE link SET node = NULL, fence = NULL FROM ended
            WHERE link.app = ended.app AND link.ordinal = ended.ordinal
            """
        )
    }

    package func nodes(of devices: [DeviceID]) async throws -> [DeviceID: NodeID] {
        guard !devices.isEmpty else { return [:] }
        let apps = devices.map(\.app)
        let ordinals = devices.map(\.ordinal)
        let nodes = try await rows(
            """
            SELECT link.app, link.ordinal, link.node FROM link
            JOIN unnest(\(numbers: apps)::bigint[], \(numbers: ordinals)::bigint[]) AS given (app, ordinal)
                ON link.app = given.app AND link.ordinal = given.ordinal
            JOIN node ON node.id = link.node AND node.fence = link.fence AND NOT isOver
            """
        ) { (DeviceID($0), $0.node(2)) }
        return Dictionary(nodes, uniquingKeysWith: { first, _ in first })
    }
}

extension DeviceID {
    /// Reads app and ordinal, in this order.
    fileprivate init(_ row: any SQLRow) { self.init(app: row.app(0), ordinal: row.ordinal(1)) }
}
