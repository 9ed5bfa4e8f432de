import Foundation
import Glibc
import Synchronization
package import SystemPort

/// The files in which apps leave their requests with the desktop: one per app, and a folder for its attachments.
package final class DesktopFolder: Sendable {
    private let folder: URL
    /// The descriptors of the lock files, by app.
    private let locks = Mutex<[String: Int32]>([:])

    /// - Parameter environment: says where the user's state is; the folder is `posthorn/desktop` within.
    package init(_ environment: DesktopEnvironment) {
        folder = environment.stateFolder.appendingPathComponent("posthorn/desktop", isDirectory: true)
    }

    deinit { release() }

    /// Gives up all apps.
    package func release() {
        let descriptors = locks.withLock { locks in
            defer { locks = [:] }
            return locks.values
        }
        for descriptor in descriptors { close(descriptor) }
    }

    /// Claims an app for this process, until its end: one process at a time shows an app's notifications.
    ///
    /// - Throws: the reason if another process has it, or the folder cannot be written.
    package func claim(_ bundleID: String) throws(BusProblem) {
        try locks.withLock { locks throws(BusProblem) in
            if locks[bundleID] != nil { return }
            do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
                throw BusProblem("The folder \(folder.path) cannot be made: \(error)")
            }
            let path = path(of: bundleID, "lock")
            let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw BusProblem("\(path) cannot be opened: \(unsafe String(cString: strerror(errno)))")
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                throw BusProblem(
                    """
                    Another process shows the notifications of '\(bundleID)'. End it, or install the user service, which several \
                    processes can share: posthorn desktop install
                    """
                )
            }
            locks[bundleID] = descriptor
        }
    }

    /// The apps that have left a file.
    package var bundleIDs: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().compactMap { name in
            guard name.hasSuffix(".json") else { return nil }
            return String(name.dropLast(".json".count)).removingPercentEncoding
        }
    }

    /// Reads an app's file.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: the reason if it cannot be read; it is then left as it is.
    package func read(_ bundleID: String) throws(BusProblem) -> AppFile? {
        let path = path(of: bundleID, "json")
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        do {
            let file = try JSONDecoder().decode(AppFile.self, from: data)
            guard file.version == AppFile.version else {
                throw BusProblem("\(path) has version \(file.version); expected \(AppFile.version)")
            }
            return file
        } catch {
            throw BusProblem("\(path) cannot be read: \(error). Move it away to begin anew")
        }
    }

    /// Writes an app's file: after a crash there is the old one or the new one.
    package func write(_ file: AppFile) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try encoder.encode(file).write(to: URL(fileURLWithPath: path(of: file.bundleID, "json")), options: .atomic)
    }

    /// Copies attachments into the app's folder. Unlike iOS it leaves the app's own file where it is.
    ///
    /// - Returns: the attachments with their new paths.
    /// - Throws: the error for the app if a file is missing, or not of its type.
    package func adopt(_ attachments: [AttachmentRecord], of bundleID: String) throws(SystemError) -> [AttachmentRecord]
    {
        var adopted: [AttachmentRecord] = []
        let folder = URL(fileURLWithPath: path(of: bundleID, "attachments"), isDirectory: true)
        for var attachment in attachments {
            let source = URL(fileURLWithPath: attachment.path)
            if source.path.hasPrefix(folder.path + "/") {
                adopted.append(attachment)
                continue
            }
            guard let file = FileHandle(forReadingAtPath: source.path) else {
                throw .notifications(.attachmentInvalidURL, "Invalid attachment file URL: \(source.path)")
            }
            let head = (try? file.read(upToCount: 16)) ?? Data()
            try? file.close()
            guard AttachmentType.matches(attachment.type, head: head) else {
                throw .notifications(
                    .attachmentCorrupt,
                    "Attachment corrupt: the file is not of type \(attachment.type)"
                )
            }
            let target = folder.appendingPathComponent("\(UUID().uuidString).\(source.pathExtension)")
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try FileManager.default.copyItem(at: source, to: target)
            } catch {
                throw .notifications(
                    .attachmentMoveIntoDataStoreFailed,
                    "The attachment cannot be copied to \(target.path): \(error)"
                )
            }
            attachment.path = target.path
            adopted.append(attachment)
        }
        return adopted
    }

    private func path(of bundleID: String, _ suffix: String) -> String {
        let name =
            bundleID.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: ".-_")))
            ?? "app"
        // No name begins with a point.
        let safe = name.hasPrefix(".") ? "%2E" + name.dropFirst() : name
        return folder.appendingPathComponent("\(safe).\(suffix)").path
    }
}
