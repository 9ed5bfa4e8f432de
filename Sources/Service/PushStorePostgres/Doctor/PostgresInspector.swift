import Foundation
import PostgresClient
package import PushService

/// Looks at the server of a store, on a connection of the store.
package struct PostgresInspector: StoreInspector {
    private let store: PostgresStore

    package init(_ store: PostgresStore) { self.store = store }

    package func findings() async -> [Finding] {
        do {
            let perNode = store.pool.configuration.connections + PostgresStore.otherConnections
            return try await store.pool.run { try Self.facts(in: $0, perNode: perNode) }.findings
        } catch PostgresError.unavailable(let reason) {
            return [Finding(of: "postgres", .wrong, .postgresAway, with: ["detail": reason])]
        } catch { return [Finding(of: "postgres", .unknown, .postgresSilent, with: ["detail": "\(error)"])] }
    }

    /// Returns the size of the database with its indexes.
    package func bytes() async -> Int64? {
        try? await store.pool.run { try $0.execute("SELECT pg_database_size(current_database())").first?.int64(0) }
    }

    private static let settings = """
        SELECT current_setting('server_version'), current_setting('server_version_num')::bigint,
            current_setting('fsync')::boolean, current_setting('full_page_writes')::boolean,
            current_setting('synchronous_commit'), current_setting('synchronous_standby_names'),
            current_setting('server_encoding')
        """

    /// Without pg_monitor, the state of standbys is null.
    private static let standbys = """
        SELECT count(*), count(sync_state), count(*) FILTER (WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum'))
        FROM pg_stat_replication
        """

    /// -1 stands for no limit. `reserved_connections` is newer than PostgreSQL 15.
    private static let connections = """
        SELECT least(
                current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint
                    - coalesce(current_setting('reserved_connections', true), '0')::bigint,
                nullif((SELECT datconnlimit FROM pg_database WHERE datname = current_database()), -1),
                nullif((SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user), -1)
            )::bigint,
            (SELECT count(*) FROM pg_stat_activity
                WHERE backend_type = 'client backend' AND application_name <> current_setting('application_name')),
            (SELECT count(*) FROM node WHERE NOT isOver AND leasedUntil > extract(epoch FROM clock_timestamp()) * 1000)
        """

    private static let privileges = """
        SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false), coalesce((
                SELECT array_agg(tablename::text ORDER BY tablename) FROM pg_tables
                WHERE schemaname = current_schema() AND NOT (
                    has_table_privilege(format('%I.%I', schemaname, tablename), 'SELECT')
                    AND has_table_privilege(format('%I.%I', schemaname, tablename), 'INSERT')
                    AND has_table_privilege(format('%I.%I', schemaname, tablename), 'UPDATE')
                    AND has_table_privilege(format('%I.%I', schemaname, tablename), 'DELETE')
                    AND (tablename NOT IN ('usedcid0', 'usedcid1')
                        OR has_table_privilege(format('%I.%I', schemaname, tablename), 'TRUNCATE'))
                )
            ), '{}'::text[])
        """

    /// Null addresses: a Unix socket.
    private static let encryption = """
        SELECT coalesce(NOT ssl AND inet_client_addr() IS NOT NULL AND inet_client_addr() <> inet_server_addr(), false)
        FROM pg_stat_ssl WHERE pid = pg_backend_pid()
        """

    static func facts(in connection: PostgresConnection, perNode: Int) throws -> PostgresFacts {
        func row(_ sql: String) throws -> PostgresRow {
            let rows = try connection.execute(sql)
            guard let row = rows.first else { throw CorruptRow(table: "pg", column: sql, found: "no row") }
            return row
        }
        let settings = try row(settings)
        let standbys = try row(standbys)
        let connections = try row(connections)
        let privileges = try row(privileges)
        // The date is that of the middle of the round trip.
        let before = Date()
        let serverDate = try row("SELECT extract(epoch FROM clock_timestamp())::float8").double(0)
        let tolerance = Date().timeIntervalSince(before) / 2
        return PostgresFacts(
            version: settings.text(0),
            versionNumber: settings.int(1),
            fsync: settings.bool(2),
            fullPageWrites: settings.bool(3),
            synchronousCommit: settings.text(4),
            standbys: PostgresFacts.Standbys(
                names: settings.text(5),
                synchronous: standbys.int(0) > 0 && standbys.int(1) == 0 ? nil : standbys.int(2),
                all: standbys.int(0)
            ),
            clockDifference: serverDate - before.timeIntervalSince1970 - tolerance,
            clockTolerance: tolerance,
            connections: PostgresFacts.Connections(
                available: connections.int(0),
                others: connections.int(1),
                perNode: perNode,
                nodes: max(1, connections.int(2))
            ),
            schemaVersion: try row("SELECT coalesce(max(version), 0) FROM schemaMigration").int(0),
            knownVersion: Schema.migrations.count,
            forbiddenTables: privileges.texts(1),
            mayCreate: privileges.bool(0),
            encoding: settings.text(6),
            isReadable: try row(encryption).bool(0)
        )
    }
}

extension PostgresStore {
    /// The connections of a node besides those of its pool: for its membership, and for the bell.
    static let otherConnections = 2
}
