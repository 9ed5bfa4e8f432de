import PostgresClient
import PushModel
package import PushService
import PushStoreSQL

extension PostgresStore: FeedStore {
    package func feedEnd() async throws -> FeedPositions {
        let heads = try await rows("SELECT node, position FROM registryHead") { ($0.node(0), $0.int64(1)) }
        return Dictionary(uniqueKeysWithValues: heads)
    }

    package func changes(after positions: FeedPositions, for reader: NodeID, limit: Int) async throws -> FeedPage {
        try await readOnce { [self] connection in
            let known = Array(positions)
            let rows = try connection.execute(
                Self.entries,
                .int64(Int64(reader.rawValue)),
                .numbers(known.map(\.key.rawValue)),
                .int64s(known.map(\.value)),
                .int64(Int64(limit))
            )
            var page = Self.page(rows, after: positions, limit: limit)
            let ids = try Self.importedIDs(named: rows, in: connection)
            page.entries = rows.compactMap { row in
                guard let position = row.optionalInt64(LogColumn.position) else { return nil }
                do {
                    return try Self.change(row, ids).map {
                        FeedEntry(node: row.node(LogColumn.node), position: position, change: $0)
                    }
                } catch {
                    damaged("entry \(position) in the log of node \(row.int64(LogColumn.node)): \(error)")
                    return nil
                }
            }
            return page
        }
    }

    package func takeUnansweredPosition() async throws -> Int64? {
        try await unanswered.settle { age in
            try await Self.reporting {
                try await pool.transaction { [node] connection in
                    // This transaction changes nothing that anybody needs on disk.
                    connection.queue("SET LOCAL synchronous_commit = off")
                    let session = StoreSession(connection)
                    // A transaction that writes to the log has locked it until its end.
                    session.queue("SELECT 1 FROM registryHead WHERE node = \(node) FOR UPDATE")
                    // The last entry that is older, or was deleted.
                    return try session.number(
                        """
                        SELECT coalesce((
                            SELECT position FROM registryLog
                            WHERE node = \(node) AND at < \(raw: Self.serverTime) - \(milliseconds: age)
                            ORDER BY position DESC LIMIT 1
                        ), (SELECT deletedThrough FROM registryHead WHERE node = \(node)), 0)
                        """
                    )
                }
            }
        }
    }

    package func deleteChanges(olderThan age: Duration, limit: Int) async throws -> Bool {
        try await change { session in
            var left = limit
            let nodes = try session.numbers("SELECT node FROM registryHead ORDER BY node")
            for node in nodes where left > 0 {
                left -= Int(try session.number(Self.deletion(of: node, olderThan: age, limit: left)))
            }
            return left == 0
        }
    }

    /// The columns of ``entries`` after those of a device.
    private enum LogColumn {
        static let node = DeviceColumn.allCases.count
        static let end = node + 1
        static let isTruncated = node + 2
        static let position = node + 3
        static let app = node + 4
        static let ordinal = node + 5
        static let version = node + 6
        static let kind = node + 7
        static let subject = node + 8
        static let tags = node + 9
        static let age = node + 10
    }

    /// The next entries of all nodes but `$1`, and at least one row for each node, all as of one moment.
    ///
    /// `$2` and `$3`: nodes, and the positions after which to read; `$4`: the maximum number of entries. The offset has each device
    /// looked up by its key: the server, which does not know how few entries follow a position, would read all devices.
    static let entries = """
        WITH head AS (
            SELECT registryHead.node, registryHead.position, coalesce(known.position, 0) AS after,
                coalesce(known.position, 0) < deletedThrough AS isTruncated
            FROM registryHead LEFT JOIN unnest($2::bigint[], $3::bigint[]) AS known (node, position) USING (node)
            WHERE registryHead.node <> $1
        ), entry AS (
            SELECT next.* FROM head CROSS JOIN LATERAL (
                SELECT * FROM registryLog WHERE registryLog.node = head.node AND registryLog.position > head.after
                ORDER BY registryLog.position LIMIT $4
            ) AS next ORDER BY next.node, next.position LIMIT $4
        )
        SELECT device.*, head.node, head.position, head.isTruncated, entry.position, entry.app, entry.ordinal,
            entry.version, entry.change, entry.subject, entry.tags, \(serverTime) - entry.at
        FROM head LEFT JOIN entry ON entry.node = head.node
        LEFT JOIN LATERAL (
            SELECT \(RegisteredDevice.columns) FROM device
            WHERE entry.change = \(LogEntryKind.device) AND device.app = entry.app AND device.ordinal = entry.ordinal
            OFFSET 0
        ) AS device ON true
        ORDER BY head.node, entry.position
        """

    /// Returns the statement that deletes the first entries of a node that are old, up to a limit, and returns their number.
    private static func deletion(of node: Int64, olderThan age: Duration, limit: Int) -> SQLStatement {
        """
        WITH first AS (
            SELECT position, bool_and(at < \(raw: serverTime) - \(milliseconds: age)) OVER (ORDER BY position) AS isOld FROM (
                SELECT position, at FROM registryLog WHERE node = \(node) ORDER BY position LIMIT \(limit)
            ) AS entry
        ), last AS (
            SELECT max(position) AS position FROM first WHERE isOld
        ), deleted AS (
            DELETE FROM registryLog USING last WHERE node = \(node) AND registryLog.position <= last.position RETURNING 1
        ), noted AS (
            UPDATE registryHead SET deletedThrough = last.position FROM last WHERE node = \(node) AND last.position IS NOT NULL
        )
        SELECT count(*) FROM deleted
        """
    }

    /// A page without its entries.
    private static func page(_ rows: PostgresRows, after positions: FeedPositions, limit: Int) -> FeedPage {
        var page = FeedPage(entries: [], through: positions)
        var last: NodeID?
        var count = 0
        for row in rows {
            if row.bool(LogColumn.isTruncated) { page.isTruncated = true }
            guard !row.isNull(LogColumn.position) else { continue }
            count += 1
            last = row.node(LogColumn.node)
            page.age = max(page.age, row.int(LogColumn.age))
        }
        page.hasMore = count == limit
        for row in rows {
            let node = row.node(LogColumn.node)
            // Nodes are in ascending order: a full page ends within, or after, the entries of `last`.
            if page.hasMore, let last, node > last { break }
            page.through[node] =
                page.hasMore && node == last ? row.int64(LogColumn.position) : row.int64(LogColumn.end)
        }
        return page
    }

    private static func change(_ row: PostgresRow, _ ids: [DeviceID: [ImportedID]]) throws -> FeedChange? {
        let app = App.ID(truncatingIfNeeded: row.int64(LogColumn.app))
        let device = DeviceID(app: app, ordinal: row.ordinal(LogColumn.ordinal))
        switch row.int64(LogColumn.kind) {
        case LogEntryKind.device:
            // Without a row the device was deleted since.
            return row.isNull(0) ? nil : .device(try RegisteredDevice(row).audienceEntry)
        case LogEntryKind.deviceDeleted: return .deviceDeleted(device)
        case LogEntryKind.importedIDs: return ids[device].map { .importedIDs($0) }
        case LogEntryKind.apps: return .apps
        case LogEntryKind.credentials: return .credentials(app)
        case LogEntryKind.tagsKept: return .tagsKept(try tags(row), app)
        case LogEntryKind.tagForgotten: return try tags(row).first.map { .tagForgotten($0, app) }
        case LogEntryKind.withdrawn: return row.optionalInt64(LogColumn.subject).map { .withdrawn(MessageID($0)) }
        case LogEntryKind.linkMoved:
            guard !row.isNull(LogColumn.subject) else { return nil }
            return .linkMoved(device, from: row.node(LogColumn.subject), number: row.int64(LogColumn.version))
        default: return nil
        }
    }

    private static func tags(_ row: PostgresRow) throws -> [String] {
        let text = row.optionalText(LogColumn.tags) ?? ""
        guard let tags = (try? JSONValue(parsing: text))?.array?.compactMap(\.string) else {
            throw CorruptRow(table: "registryLog", column: "tags", found: text)
        }
        return tags
    }

    /// Reads the imported ids of the devices that entries are about, in their current state.
    private static func importedIDs(
        named rows: PostgresRows,
        in connection: PostgresConnection
    ) throws -> [DeviceID: [ImportedID]] {
        let entries = rows.filter { $0.optionalInt64(LogColumn.kind) == LogEntryKind.importedIDs }
        guard !entries.isEmpty else { return [:] }
        let apps = entries.map { $0.int64(LogColumn.app) }
        let ordinals = entries.map { $0.int64(LogColumn.ordinal) }
        let ids: [ImportedID] = try StoreSession(connection).records(
            """
            FROM importedID JOIN (SELECT DISTINCT * FROM unnest(\(numbers: apps)::bigint[], \(numbers: ordinals)::bigint[])) AS given (app, ordinal) USING (app, ordinal)
            ORDER BY id
            """
        )
        return Dictionary(grouping: ids, by: \.device)
    }
}
