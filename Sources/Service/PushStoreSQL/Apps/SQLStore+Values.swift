import PushService

// Values by key.
extension SQLStore {
    package func value(_ key: String) async throws -> [UInt8]? {
        try await queryOnce { try Self.value(key, in: $0) }
    }

    private static func value(_ key: String, in session: any SQLSession) throws -> [UInt8]? {
        try session.first("SELECT value FROM setting WHERE key = \(key)") { $0.bytes(0) }
    }

    package func setValue(_ value: [UInt8], for key: String) async throws {
        try await execute(
            """
            INSERT INTO setting (key, value) VALUES (\(key), \(value))
            ON CONFLICT (key) DO UPDATE SET value = excluded.value
            """
        )
    }

    package func setDefault(_ value: [UInt8], for key: String) async throws -> [UInt8] {
        try await change { session in
            try session.queue("INSERT INTO setting (key, value) VALUES (\(key), \(value)) ON CONFLICT (key) DO NOTHING")
            return try Self.value(key, in: session) ?? value
        }
    }
}
