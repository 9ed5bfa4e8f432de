import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file that holds a little room on the disk, which a service that starts on a full disk gives up: without files of a few
/// dozen kilobytes beside the database SQLite cannot even read it.
struct DiskReserve: Sendable {
    private static let bytes = 1 << 20

    let path: String

    /// Takes the room, unless it is held already or there is none.
    func take() {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if posix_fallocate(descriptor, 0, off_t(Self.bytes)) != 0 { giveUp() }
    }

    /// - Returns: whether there was anything to give up.
    @discardableResult
    func giveUp() -> Bool { unsafe unlink(path) == 0 }
}
