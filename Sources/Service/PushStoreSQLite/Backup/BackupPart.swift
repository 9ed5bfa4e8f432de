import Foundation
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The file of a backup that is not complete.
///
/// It is locked while the backup goes on, and a link in the data folder leads to it, so that the next start finds and removes what a killed
/// backup has left, wherever that is.
struct BackupPart {
    private static let suffix = ".part"
    private static let linkPrefix = "unfinished-backup-"
    /// The suffixes of the files that SQLite puts beside the copy: its journal, and as long as it is as the original, the log.
    private static let companions = ["-journal", "-wal", "-shm"]

    let path: String
    private let link: String
    private let lock: Int32

    /// Creates an empty file, readable only by its owner, and removes what interrupted backups have left.
    ///
    /// It is always a new file: another user could have put one there to read the backup, or a link to have it written elsewhere.
    ///
    /// - Throws: ``BackupProblem`` if the file cannot be written, belongs to a backup that goes on, or was not left by one.
    init(of file: String, notedIn folder: String) throws(BackupProblem) {
        Self.removeLeftovers(in: folder)
        path = file + Self.suffix
        link = "\(folder)/\(Self.linkPrefix)\(UUID().uuidString)"
        let target = URL(filePath: path).absoluteURL.path(percentEncoded: false)
        // Before the file. A folder that cannot be written to is no reason to make no backup of it.
        _ = unsafe symlink(target, link)
        do throws(BackupProblem) { lock = try Self.created(path, for: file) } catch {
            _ = unsafe unlink(link)
            throw error
        }
        // Another process may have found the link without its file.
        _ = unsafe symlink(target, link)
    }

    /// Creates the file, and returns its descriptor, which is locked.
    private static func created(_ path: String, for file: String) throws(BackupProblem) -> Int32 {
        try removeOwn(path, for: file)
        removeCompanions(of: path)
        // SQLite would read a journal, or write into it.
        if let other = companions.map({ path + $0 }).first(where: isThere) {
            throw BackupProblem("'\(other)' is in the way of the backup, and cannot be removed; give another file.")
        }
        let lock = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard lock >= 0 else {
            throw errno == EEXIST
                ? foreign(path) : BackupProblem("'\(file)' cannot be written; is its folder there, and writable?")
        }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            throw underWay(file)
        }
        return lock
    }

    /// Removes what a killed backup of this user has left at the path.
    private static func removeOwn(_ path: String, for file: String) throws(BackupProblem) {
        let found = unsafe open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard found >= 0 else {
            if isThere(path) { throw foreign(path) }
            return
        }
        defer { close(found) }
        guard let facts = try? Stat(FileDescriptor(rawValue: found)), facts.type == .regular,
            facts.userID.rawValue == geteuid(), facts.linkCount == 1,
            facts.permissions.isDisjoint(with: [.groupReadWriteExecute, .otherReadWriteExecute])
        else { throw foreign(path) }
        guard flock(found, LOCK_EX | LOCK_NB) == 0 else { throw underWay(file) }
        _ = unsafe unlink(path)
    }

    private static func isThere(_ path: String) -> Bool {
        (try? Stat(FilePath(path), followTargetSymlink: false)) != nil
    }

    private static func foreign(_ path: String) -> BackupProblem {
        BackupProblem(
            "'\(path)' is there, and is no file that a backup of this user has left; remove it, or give another file."
        )
    }

    private static func underWay(_ file: String) -> BackupProblem {
        BackupProblem("Another backup to '\(file)' is under way; wait for its end, or give another file.")
    }

    /// Removes the file, unless it was moved, and what belongs to it.
    func remove() {
        Self.remove(path)
        _ = unsafe unlink(link)
        close(lock)
    }

    private static func remove(_ path: String) {
        _ = unsafe unlink(path)
        removeCompanions(of: path)
    }

    private static func removeCompanions(of path: String) {
        for suffix in companions { _ = unsafe unlink(path + suffix) }
    }

    /// Removes the files of backups of a data folder that were killed.
    static func removeLeftovers(in folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(linkPrefix) {
            let link = "\(folder)/\(name)"
            guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link), path.hasSuffix(suffix)
            else { continue }
            let file = unsafe open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
            if file >= 0 {
                defer { close(file) }
                guard flock(file, LOCK_EX | LOCK_NB) == 0 else { continue }
                remove(path)
            } else if errno != ENOENT {
                continue
            }
            _ = unsafe unlink(link)
        }
    }
}
