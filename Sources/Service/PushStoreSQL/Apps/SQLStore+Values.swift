import PushService

// Values by key.
extension SQLStore {
    package func value(_ key: String) async throws -> [UInt8]? {
        try await queryOnce { try $0.value(key) }
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
            return try session.value(key) ?? value
        }
    }
}

extension SQLSession {
    fileprivate func value(_ key: String) throws -> [UInt8]? {
        try first("SELECT value FROM setting WHERE key = \(key)") { $0.bytes(0) }
    }
}
