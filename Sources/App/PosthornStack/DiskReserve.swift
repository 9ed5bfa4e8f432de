import Foundation

/// A file that reserves a little disk space, which a service frees when it starts on a full disk: without a few dozen kilobytes
/// for files beside the database, SQLite cannot even read it.
struct DiskReserve: Sendable {
    private static let bytes = 1 << 20

    let path: String

    /// Reserves the space, unless it is reserved already or there is none.
    func take() {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if posix_fallocate(descriptor, 0, off_t(Self.bytes)) != 0 { giveUp() }
    }

    /// Frees the space. Returns whether any was reserved.
    @discardableResult
    func giveUp() -> Bool { unsafe unlink(path) == 0 }
}
