import Foundation
import PushClock
package import PushModel

/// Manages the files of an app or a group, identified by the owner's key.
///
/// Source: JPush REST API v3, "File API".
package struct FileController: Sendable {
    let store: any AudienceFileStore
    let clock: any CivilClock

    /// Stores a file for 1 to 720 hours, by default the maximum. When this returns, it is on disk.
    ///
    /// - Throws: 1003 for errors that the caller can fix.
    package func create(
        _ content: ArraySlice<UInt8>,
        name: String?,
        kind: TargetKind,
        hours: Int?,
        owner: String
    ) async throws -> AudienceFile {
        guard content.count <= JPushLimits.fileBytes else { throw Self.tooLarge }
        if let hours, !JPushLimits.fileHours.contains(hours) {
            throw JPushError.badValue("'ttl' is \(hours); expected 1 to \(JPushLimits.fileHours.upperBound) hours.")
        }
        _ = try TargetList(parsing: content, as: kind)
        let now = clock.date
        let lifetime = TimeInterval(hours ?? JPushLimits.fileHours.upperBound) * 3600
        let file = AudienceFile(
            id: "\(owner)-\(UUID().uuidString.lowercased())",
            owner: owner,
            kind: kind,
            name: name.flatMap { $0.isEmpty ? nil : $0 },
            createdAt: now,
            expiresAt: now.addingTimeInterval(lifetime),
            tellsExpiry: hours != nil
        )
        guard try await store.createFile(file, Array(content), limit: JPushLimits.files) else {
            throw JPushError.badValue("There are \(JPushLimits.files) files already; delete one first.")
        }
        return file
    }

    package static let tooLarge = JPushError.badValue(
        "The file is larger than \(JPushLimits.fileBytes) bytes; split it into several."
    )

    package func files(of owner: String) async throws -> [AudienceFile] {
        try await store.files(of: owner, at: clock.date)
    }

    package func delete(_ id: String, of owner: String) async throws {
        guard !id.hasNUL, try await store.deleteFile(id, of: owner, at: clock.date) else {
            throw JPushError.noSuchFile(id)
        }
    }

    /// Returns the targets in a file that belongs to one of the owners.
    func targets(_ id: String, of owners: [String]) async throws -> TargetList {
        let file = try await file(id, of: owners)
        guard let content = try await store.content(ofFile: id) else { throw JPushError.noSuchFile(id) }
        return try TargetList(parsing: content[...], as: file.kind)
    }

    /// Returns a file of one of these owners.
    ///
    /// - Throws: 1003 with status 404 if none has the file, or has it any more.
    package func file(_ id: String, of owners: [String]) async throws -> AudienceFile {
        guard !id.hasNUL, let file = try await store.file(id, of: owners, at: clock.date) else {
            throw JPushError.noSuchFile(id)
        }
        return file
    }
}
