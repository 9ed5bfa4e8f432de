package import Foundation
package import PostgresClient

/// The clock of a PostgreSQL database under a test's control.
///
/// In the database of a test, `clock_timestamp()` is a function that is found before PostgreSQL's own, and reads a row.
package enum StoreTime {
    /// Puts the clock of a database under control. Connections opened from then on use it.
    package static func control(_ pool: PostgresPool, at date: Date) async throws {
        try await pool.run { connection in
            try connection.executeScript(
                """
                CREATE SCHEMA testing;
                CREATE TABLE testing.time (at timestamptz NOT NULL);
                INSERT INTO testing.time VALUES (to_timestamp(\(date.timeIntervalSince1970)));
                CREATE FUNCTION testing.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
                    AS 'SELECT at FROM testing.time';
                DO $$ BEGIN
                    EXECUTE format('ALTER DATABASE %I SET search_path = testing, pg_catalog, public', current_database());
                END $$
                """
            )
        }
    }

    /// Moves the clock to a date, unless it is later already.
    package static func move(_ pool: PostgresPool, to date: Date) async throws {
        _ = try await pool.run { connection in
            try connection.execute(
                "UPDATE testing.time SET at = to_timestamp($1::float8) WHERE at < to_timestamp($1::float8)",
                .text("\(date.timeIntervalSince1970)")
            ).affected
        }
    }

    /// Moves the clock on.
    package static func advance(_ pool: PostgresPool, by duration: Duration) async throws {
        _ = try await pool.run { connection in
            try connection.execute(
                "UPDATE testing.time SET at = at + make_interval(secs => $1::float8)",
                .text("\(duration / .seconds(1))")
            ).affected
        }
    }
}
