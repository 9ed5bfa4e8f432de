import PostgresClient

// All nodes of a store need the same secret. The store has a mark of it, from which it cannot be derived.
extension PostgresStore {
    /// The number of stores that belong to no node, such as those of commands.
    package static let commandNode: Int16 = 0

    private static let secretKey = "secret.mark"

    /// Returns the mark of the secret; nil for a store without one.
    package func secretMark() async throws -> [UInt8]? { try await value(Self.secretKey) }

    /// Stores the mark of the secret, unless there is one.
    ///
    /// - Returns: the mark that the store has now.
    package func markSecret(_ mark: [UInt8]) async throws -> [UInt8] {
        try await write { session in
            let connection = session.connection
            try connection.execute(
                "INSERT INTO setting (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING",
                .text(Self.secretKey),
                .bytes(mark)
            )
            return try connection.execute("SELECT value FROM setting WHERE key = $1", .text(Self.secretKey)).first?
                .bytes(0)
                ?? mark
        }
    }
}
