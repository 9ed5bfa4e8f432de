package import Crypto
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The folder in which a Posthorn process keeps what it must not forget.
///
/// One process at a time: the folder is locked for as long as the value lives.
package final class DataFolder: Sendable {
    package let path: String
    private let lock: Int32

    /// Opens the folder, and makes it if there is none, readable by its owner alone.
    ///
    /// - Throws: ``DataFolderProblem`` when another process uses it, or it cannot be made.
    package init(_ path: String) throws {
        let url = URL(filePath: path, directoryHint: .isDirectory).absoluteURL
        self.path = url.path(percentEncoded: false)
        do {
            try FileManager.default.createDirectory(
                at: url,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw DataFolderProblem("The data folder '\(path)' cannot be made: \(error.localizedDescription)")
        }
        let file = url.appending(path: "lock").path(percentEncoded: false)
        let descriptor = unsafe open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DataFolderProblem("The data folder '\(path)' cannot be written to.") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw DataFolderProblem(
                "The data folder '\(path)' is in use by another Posthorn process; stop it, or choose another --data."
            )
        }
        lock = descriptor
    }

    deinit { close(lock) }

    /// The path of a file or folder in here.
    package func file(_ name: String) -> String {
        URL(filePath: path).appending(path: name).path(percentEncoded: false)
    }

    /// The secret from which all keys of the service are drawn: 32 bytes, made at first start.
    ///
    /// It lies in a file of its own, not in the database: a copy of the database alone opens no credential.
    package func secret() throws -> SymmetricKey { try Self.secret(at: file("secret.key")) }

    package static func secret(at path: String) throws -> SymmetricKey {
        let key = SymmetricKey(size: .bits256)
        // Exclusive: of two processes that start at once one makes the file, and both read the same.
        let made = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if made >= 0 {
            defer { close(made) }
            let isWritten = unsafe key.withUnsafeBytes { unsafe write(made, $0.baseAddress, $0.count) == $0.count }
            // On disk before anything depends on it.
            guard isWritten, fsync(made) == 0 else {
                // Nothing depends on it yet; half a key would stop the next start.
                _ = unsafe unlink(path)
                throw DataFolderProblem("'\(path)' cannot be written; is the disk full?")
            }
            return key
        }
        // Never made anew when it is there and cannot be read: all that was sealed with it would be lost.
        guard errno == EEXIST else { throw DataFolderProblem("'\(path)' cannot be made: is its folder writable?") }
        let data: Data
        do { data = try Data(contentsOf: URL(filePath: path)) } catch {
            throw DataFolderProblem("'\(path)' cannot be read: \(error.localizedDescription)")
        }
        guard data.count == 32 else {
            throw DataFolderProblem("'\(path)' has \(data.count) bytes; expected 32. Restore it from a backup.")
        }
        return SymmetricKey(data: data)
    }

    /// Opens the folder's database without the lock, as the command line does beside a running service.
    package static func path(of name: String, in folder: String) -> String {
        URL(filePath: folder, directoryHint: .isDirectory).absoluteURL.appending(path: name).path(percentEncoded: false)
    }
}

package struct DataFolderProblem: Error, CustomStringConvertible {
    package var description: String
    init(_ description: String) { self.description = description }
}
