package import PushService

// The limits of an app's broadcasts.
extension SQLStore {
    package func pacedMessages(of app: App.ID) async throws -> Int {
        try await queryOnce { session in
            let count = try session.number(
                "SELECT count(DISTINCT message) FROM chunk WHERE NOT isDone AND isPaced AND app = \(app)"
            )
            return Int(count)
        }
    }

    package func countBroadcast(of app: App.ID, day: Int, limit: Int) async throws -> Bool {
        guard limit > 0 else { return false }
        return try await change { session in
            try session.queue("DELETE FROM broadcast WHERE app = \(app) AND day < \(day)")
            return try session.execute(
                """
                INSERT INTO broadcast AS known (app, day, count) VALUES (\(app), \(day), 1)
                ON CONFLICT (app, day) DO UPDATE SET count = known.count + 1 WHERE known.count < \(limit)
                """
            ) > 0
        }
    }

    package func returnBroadcast(of app: App.ID, day: Int) async throws {
        try await execute("UPDATE broadcast SET count = count - 1 WHERE app = \(app) AND day = \(day) AND count > 0")
    }
}
