import Foundation
import PushModel
import Synchronization
import SystemPort

/// The device's storage for notification attachments.
final class AttachmentStore: Sendable {
    private struct State {
        var isMade = false
        var last = 0
    }

    private let folder: URL
    private let isTemporary: Bool
    private let state = Mutex(State())

    init(folder: URL?) {
        // Devices with the same seed share an id, but not a folder.
        let own = FileManager.default.temporaryDirectory.appendingPathComponent("posthorn-\(UUID().uuidString)")
        self.folder = folder ?? own
        isTemporary = folder == nil
    }

    /// Moves files into the store; a file in an app's bundle is copied. So is one outside of the app's container, which no app on a phone
    /// could move: here it may be part of a source tree.
    ///
    /// - Parameters:
    ///   - attachments: the attachments, with the app's paths.
    ///   - warn: is given a sentence for each file that was copied for the latter reason.
    /// - Returns: the attachments with their new paths.
    /// - Throws: the error for the app if a file is missing, is not of its type, or cannot be stored.
    func adopt(
        _ attachments: [AttachmentRecord],
        warn: (String) -> Void
    ) throws(SystemError) -> [AttachmentRecord] {
        for attachment in attachments { try check(attachment) }
        var taken: [AttachmentRecord] = []
        for attachment in attachments { taken.append(try adopt(attachment, warn)) }
        return taken
    }

    private func check(_ attachment: AttachmentRecord) throws(SystemError) {
        guard let file = FileHandle(forReadingAtPath: attachment.path) else {
            if isKept(attachment.path) {
                throw .notifications(.attachmentNotInDataStore, "The attachment is not in the data store")
            }
            throw .notifications(.attachmentInvalidURL, "Invalid attachment file URL")
        }
        defer { try? file.close() }
        let head = (try? file.read(upToCount: 16)) ?? Data()
        guard AttachmentType.matches(attachment.type, head: head) else {
            throw .notifications(.attachmentCorrupt, "Attachment corrupt: the file is not of type \(attachment.type)")
        }
        if let time = attachment.thumbnailTime, let length = FilmLength.seconds(of: file, type: attachment.type),
            time > length
        {
            let text = "Attachment corrupt: the thumbnail's time is \(time) s, and the film ends at \(length) s"
            throw .notifications(.attachmentCorrupt, text)
        }
    }

    private func adopt(
        _ attachment: AttachmentRecord,
        _ warn: (String) -> Void
    ) throws(SystemError) -> AttachmentRecord {
        // A file that another request stored stays where it is.
        guard !isKept(attachment.path) else { return attachment }
        let source = URL(fileURLWithPath: attachment.path).standardizedFileURL.resolvingSymlinksInPath()
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        let target = folder.appendingPathComponent("\(number)-\(source.lastPathComponent)")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            state.withLock { $0.isMade = true }
            if Self.liesInBundle(source) {
                try FileManager.default.copyItem(at: source, to: target)
            } else if Self.liesInContainer(source) {
                try FileManager.default.moveItem(at: source, to: target)
            } else {
                try FileManager.default.copyItem(at: source, to: target)
                warn(
                    """
                    The attachment \(attachment.path) was copied: it is not among the app's temporary files, its caches or its application \
                    support. Apple's systems move the file of an attachment, so on an iPhone it would not be there any more.
                    """
                )
            }
        } catch {
            throw .notifications(
                .attachmentMoveIntoDataStoreFailed,
                "Failed to move the attachment's file into the data store: \(error)"
            )
        }
        var attachment = attachment
        attachment.path = target.path
        return attachment
    }

    private func isKept(_ path: String) -> Bool { path.hasPrefix(folder.path + "/") }

    private static func liesInBundle(_ file: URL) -> Bool {
        file.pathComponents.contains { [".app", ".appex", ".bundle", ".resources"].contains(where: $0.hasSuffix) }
    }

    /// Whether the file is where an app keeps its own on Linux, and not in a working copy there.
    private static func liesInContainer(_ file: URL) -> Bool {
        let files = FileManager.default
        let own = [FileManager.SearchPathDirectory.cachesDirectory, .applicationSupportDirectory]
        let folders = own.flatMap { files.urls(for: $0, in: .userDomainMask) } + [files.temporaryDirectory]
        return folders.contains { folder in
            let root = folder.resolvingSymlinksInPath().path + "/"
            guard file.path.hasPrefix(root) else { return false }
            let parents = sequence(first: file.deletingLastPathComponent()) { $0.deletingLastPathComponent() }
            return !parents.prefix { $0.path.count >= root.count }.contains { parent in
                files.fileExists(atPath: parent.appendingPathComponent(".git").path)
            }
        }
    }

    func discard(_ paths: [String]) {
        for path in paths where isKept(path) { try? FileManager.default.removeItem(atPath: path) }
    }

    func close() {
        guard isTemporary, state.withLock(\.isMade) else { return }
        try? FileManager.default.removeItem(at: folder)
    }
}
