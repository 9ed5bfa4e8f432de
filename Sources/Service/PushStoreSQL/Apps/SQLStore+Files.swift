package import Foundation
package import PushService

extension SQLStore {
    package func createFile(_ file: AudienceFile, _ content: [UInt8], limit: Int) async throws -> Bool {
        try await change { session in
            try session.lock(.text(file.owner, space: 0x6669_6C65))
            try session.queue("DELETE FROM audienceFile WHERE owner = \(file.owner) AND expiresAt <= \(file.createdAt)")
            return try session.execute(
                """
                INSERT INTO audienceFile (id, owner, kind, name, content, createdAt, tellsExpiry, expiresAt)
                SELECT \(file.id), \(file.owner), \(file.kind), \(file.name), \(content), \(file.createdAt),
                    \(file.tellsExpiry), \(file.expiresAt)
                WHERE (SELECT count(*) FROM audienceFile WHERE owner = \(file.owner)) < \(limit)
                """
            ) > 0
        }
    }

    package func files(of owner: String, at now: Date) async throws -> [AudienceFile] {
        try await records("FROM audienceFile WHERE owner = \(owner) AND expiresAt > \(now) ORDER BY createdAt, number")
    }

    package func file(_ id: String, of owners: [String], at now: Date) async throws -> AudienceFile? {
        let file: AudienceFile? = try await record("FROM audienceFile WHERE id = \(id) AND expiresAt > \(now)")
        return file.flatMap { owners.contains($0.owner) ? $0 : nil }
    }

    package func content(ofFile id: String) async throws -> [UInt8]? {
        try await first("SELECT content FROM audienceFile WHERE id = \(id)") { $0.bytes(0) }
    }

    package func deleteFile(_ id: String, of owner: String, at now: Date) async throws -> Bool {
        try await execute("DELETE FROM audienceFile WHERE id = \(id) AND owner = \(owner) AND expiresAt > \(now)") > 0
    }
}

extension AudienceFile: SQLRecord {
    package static let columns = "id, owner, kind, name, createdAt, tellsExpiry, expiresAt"

    package init(_ row: any SQLRow) throws {
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
