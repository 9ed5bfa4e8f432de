package import Foundation
package import PushModel

/// Files of aliases and registration ids. Expired files do not count.
package protocol AudienceFileStore: Sendable {
    /// Stores a file.
    ///
    /// - Returns: false if the owner has `limit` others, in which case nothing was stored.
    func createFile(_ file: AudienceFile, _ content: [UInt8], limit: Int) async throws -> Bool
    /// Returns the owner's files in order of creation.
    func files(of owner: String, at now: Date) async throws -> [AudienceFile]
    func file(_ id: String, of owners: [String], at now: Date) async throws -> AudienceFile?
    func content(ofFile id: String) async throws -> [UInt8]?
    /// Deletes a file.
    ///
    /// - Returns: whether there was one.
    func deleteFile(_ id: String, of owner: String, at now: Date) async throws -> Bool
}

/// A file of aliases or registration ids, uploaded as the audience of pushes. Its content is read for each push.
package struct AudienceFile: Hashable, Sendable, Identifiable {
    /// The owner's key, `-` and a UUID.
    package var id: String
    /// The key of the app or the group that uploaded it.
    package var owner: String
    package var kind: TargetKind
    /// The caller's name for the file.
    package var name: String?
    package var createdAt: Date
    package var expiresAt: Date
    /// Whether the caller set the lifetime; only then do responses include the expiry.
    package var tellsExpiry: Bool

    package init(
        id: String,
        owner: String,
        kind: TargetKind,
        name: String?,
        createdAt: Date,
        expiresAt: Date,
        tellsExpiry: Bool
    ) {
        self.id = id
        self.owner = owner
        self.kind = kind
        self.name = name
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.tellsExpiry = tellsExpiry
    }
}
