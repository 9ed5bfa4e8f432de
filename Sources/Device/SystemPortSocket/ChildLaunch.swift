import CProcess
import Foundation
import Glibc

/// The launch of a program as an app: its end of the port is file descriptor 3, and its output goes into a pipe.
struct ChildLaunch: Sendable {
    /// The file descriptor of the program's end of the port.
    static let portNumber: Int32 = 3

    var path: String
    var environment: [String: String]
    /// Becomes file descriptor 3.
    var port: Int32
    /// Becomes file descriptors 1 and 2.
    var output: Int32

    /// - Returns: the id of the process, which leads a process group of its own.
    func run() -> Result<Int32, PortProblem> {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        // C interface: each of these fills or reads a value that lives until the end of this function.
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 2)
        unsafe posix_spawn_file_actions_adddup2(&actions, port, Self.portNumber)
        // Not all of the device's descriptors are close-on-exec: a server's socket would stay open with the app.
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, Self.portNumber + 1)
        // A device may ignore or block signals that end its apps.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        let arguments = unsafe [strdup(path), nil]
        let variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        let texts = unsafe arguments + variables
        defer { for place in unsafe texts.indices { unsafe free(texts[place]) } }
        var child: pid_t = 0
        let status = unsafe posix_spawn(&child, path, &actions, &attributes, arguments, variables)
        guard status == 0 else {
            return .failure(PortProblem("'\(path)' cannot be started: \(unsafe String(cString: strerror(status)))."))
        }
        return .success(child)
    }
}
