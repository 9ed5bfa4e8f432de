import PostgresClient
import TestSupport
import Testing

@testable import PushStorePostgres

@Suite("Plans of statements in PostgreSQL", .suiteLimit)
struct PostgresPlanTests {
    @Test("A page of the log has its devices looked up by their keys, not by reading all devices")
    func feed() async throws {
        try await PostgresDatabase.with { pool in
            let plan = try await pool.run { connection in
                try connection.executeScript(
                    """
                    INSERT INTO device (app, ordinal, installation, secretHash, environment, tokenRegisteredAt, tags, badge, system,
                        lastSeen, version, isStopped)
                    SELECT 1, number, 'device' || number, '', 'production', 0, '[]', 0, 'iOS', 0, 1, false
                    FROM generate_series(1, 50000) AS number;
                    INSERT INTO registryHead (node, position) VALUES (1, 20000);
                    INSERT INTO registryLog (node, position, app, ordinal, version, change)
                    SELECT 1, number, 1, number, 1, 1 FROM generate_series(1, 20000) AS number;
                    ANALYZE;
                    PREPARE feed (bigint, bigint[], bigint[], bigint) AS \(PostgresStore.entries);
                    SET plan_cache_mode = force_generic_plan
                    """
                )
                let rows = try connection.execute("EXPLAIN EXECUTE feed (2, '{1}', '{19900}', 2000)")
                return rows.map { $0.text(0) }.joined(separator: "\n")
            }
            #expect(plan.contains("Index Scan using device_pkey on device"), "\(plan)")
            #expect(!plan.contains("Seq Scan on device") && !plan.contains("Seq Scan on registrylog"), "\(plan)")
        }
    }
}
