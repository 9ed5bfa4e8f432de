package import Foundation

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
