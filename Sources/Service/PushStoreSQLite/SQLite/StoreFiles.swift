import PushService
import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The files of an open database, which have to stay where they are.
///
/// SQLite goes on writing to a file that was removed or emptied, and what it writes is gone with the process. So each commit looks whether
/// the names still lead to the same files.
final class StoreFiles: Sendable {
    private struct Identity: Hashable {
        var device: CInterop.DeviceID
        var inode: CInterop.Inode
    }

    private let paths: [String]
    private let known: Mutex<[String: Identity]>

    /// Names the files of an open database by its path. Its log belongs to it, and so does the lock of the folder if there is one.
    init(path: String) {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        paths = [path, path + "-wal", folder + "lock"]
        known = Mutex([:])
        try? check()
    }

    /// Checks that each file that was there is there still.
    ///
    /// - Throws: ``StoreError/fileGone(_:)``.
    func check() throws(StoreError) {
        let gone = known.withLock { known in
            paths.first { path in
                let found = Self.identity(of: path)
                guard let expected = known[path] else {
                    known[path] = found
                    return false
                }
                return found != expected
            }
        }
        guard let gone else { return }
        throw .fileGone(gone.split(separator: "/").last.map(String.init) ?? gone)
    }

    private static func identity(of path: String) -> Identity? {
        // A log is empty after each whole checkpoint, and a lock always; a database never.
        guard let facts = try? unsafe Stat(path), facts.size > 0 || !path.hasSuffix(".sqlite") else { return nil }
        return Identity(device: facts.deviceID.rawValue, inode: facts.inode.rawValue)
    }
}
