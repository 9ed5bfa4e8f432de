package import Foundation
import PostgresClient
import PushModel
package import PushService

extension PostgresStore {
    /// Distinguishes the advisory locks of owners of files from others.
    private static let fileLocks: Int64 = 0x6669_6C65

    package func createFile(_ file: AudienceFile, _ content: [UInt8], limit: Int) async throws -> Bool {
        try await write { session in
            let connection = session.connection
            try connection.execute(
                "SELECT pg_advisory_xact_lock(hashtextextended($1, $2))",
                .text(file.owner),
                .int64(Self.fileLocks)
            )
            try connection.execute(
                "DELETE FROM audienceFile WHERE owner = $1 AND expiresAt <= $2",
                .text(file.owner),
                .date(file.createdAt)
            )
            return try connection.execute(
                """
                INSERT INTO audienceFile (id, owner, kind, name, content, createdAt, tellsExpiry, expiresAt)
                SELECT $1, $2, $3, $4, $5, $6, $7, $8
                WHERE (SELECT count(*) FROM audienceFile WHERE owner = $2) < $9
                """,
                .text(file.id),
                .text(file.owner),
                .text(file.kind.rawValue),
                .optional(file.name),
                .bytes(content),
                .date(file.createdAt),
                .bool(file.tellsExpiry),
                .date(file.expiresAt),
                .int64(Int64(limit))
            ).affected > 0
        }
    }

    package func files(of owner: String, at now: Date) async throws -> [AudienceFile] {
        try await readOnce { connection in
            try connection.execute(
                """
                SELECT \(AudienceFile.columns) FROM audienceFile WHERE owner = $1 AND expiresAt > $2
                ORDER BY createdAt, number
                """,
                .text(owner),
                .date(now)
            ).map { try AudienceFile($0) }
        }
    }

    package func file(_ id: String, of owners: [String], at now: Date) async throws -> AudienceFile? {
        try await readOnce { connection in
            try connection.execute(
                """
                SELECT \(AudienceFile.columns) FROM audienceFile
                WHERE id = $1 AND owner = ANY ($2::text[]) AND expiresAt > $3
                """,
                .text(id),
                .texts(owners),
                .date(now)
            ).first.map { try AudienceFile($0) }
        }
    }

    package func content(ofFile id: String) async throws -> [UInt8]? {
        try await readOnce { connection in
            try connection.execute("SELECT content FROM audienceFile WHERE id = $1", .text(id)).first?.bytes(0)
        }
    }

    package func deleteFile(_ id: String, of owner: String, at now: Date) async throws -> Bool {
        try await write { session in
            try session.connection.execute(
                "DELETE FROM audienceFile WHERE id = $1 AND owner = $2 AND expiresAt > $3",
                .text(id),
                .text(owner),
                .date(now)
            ).affected > 0
        }
    }
}

extension AudienceFile {
    /// The columns of a file without its content, for ``init(_:)``.
    fileprivate static let columns = "id, owner, kind, name, createdAt, tellsExpiry, expiresAt"

    fileprivate init(_ row: PostgresRow) throws {
        self.init(
            id: row.text(0),
            owner: row.text(1),
            kind: try row.word(2, "kind", of: "audienceFile"),
            name: row.optionalText(3),
            createdAt: row.date(4),
            expiresAt: row.date(6),
            tellsExpiry: row.bool(5)
        )
    }
}
