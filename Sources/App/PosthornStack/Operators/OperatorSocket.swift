import Foundation

/// The socket on which a running service answers operators: `run/operator.sock` in its data folder.
///
/// The folder `run` belongs to the service's user alone, so only that user and root can connect.
package final class OperatorSocket: Sendable {
    /// The path for `bind(2)` and `connect(2)`, for as long as this value lives.
    let path: String
    /// The path in the file system.
    private let file: String
    /// The open folder, if the path goes through it.
    private let descriptor: Int32?

    /// The maximum length of the path of a socket in SwiftNIO, in bytes: that of BSD, less than Linux's 107.
    private static let longestPath = 103

    /// - Parameters:
    ///   - data: the path of the data folder.
    ///   - isServer: whether to create the folder, and to remove the socket that an ended service has left.
    /// - Throws: ``DataFolderProblem`` if the folder cannot be made or opened.
    init(in data: String, isServer: Bool) throws {
        let folder = DataFolder.path(of: "run", in: data)
        file = folder + "/operator.sock"
        if isServer {
            guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST, unsafe chmod(folder, 0o700) == 0 else {
                throw DataFolderProblem("The folder '\(folder)' cannot be made; is the folder around it writable?")
            }
            _ = unsafe unlink(file)
        }
        guard file.utf8.count > Self.longestPath else {
            path = file
            descriptor = nil
            return
        }
        // A longer path than a socket address can hold goes through the open folder.
        let opened = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { throw DataFolderProblem("The folder '\(folder)' cannot be opened.") }
        descriptor = opened
        path = "/proc/self/fd/\(opened)/operator.sock"
    }

    deinit { if let descriptor { close(descriptor) } }

    /// Lets only the owner connect; must be called once the socket is there.
    func restrict() { _ = unsafe chmod(file, 0o600) }

    /// Removes the socket of a service that has ended.
    func remove() { _ = unsafe unlink(file) }
}
