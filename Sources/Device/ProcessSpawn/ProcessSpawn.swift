import CProcess
import Glibc

/// The start of a program in a process group of its own, with standard input from `/dev/null`.
///
/// The program gets none of this process's file descriptors but those that it is given, and none of the signals that this process
/// blocks or ignores.
package struct ProcessSpawn: Sendable {
    /// The path of the program.
    package var path: String
    /// The arguments, from the name under which the program is called.
    package var arguments: [String]
    package var environment: [String: String]
    /// This process's file descriptors by their number in the program, ascending and without gaps from 1; the others are closed.
    package var descriptors: [Int32]

    /// The reason why a program cannot be started, in the system's words.
    package struct Failure: Error {
        package var reason: String
    }

    /// - Parameters:
    ///   - path: the path of the program.
    ///   - arguments: the arguments, from the name under which the program is called.
    ///   - environment: the environment of the program.
    ///   - descriptors: what becomes file descriptors 1, 2 and so on.
    package init(path: String, arguments: [String], environment: [String: String], descriptors: [Int32]) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
        self.descriptors = descriptors
    }

    /// - Returns: the id of the process.
    package func run() -> Result<Int32, Failure> {
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
        for (place, descriptor) in descriptors.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(place + 1))
        }
        // Not all descriptors of a process are close-on-exec: a server's socket would stay open with the program.
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, Int32(descriptors.count + 1))
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        let words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        let variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        let texts = unsafe words + variables
        defer { for place in unsafe texts.indices { unsafe free(texts[place]) } }
        var child: pid_t = 0
        let status = unsafe posix_spawn(&child, path, &actions, &attributes, words, variables)
        guard status == 0 else { return .failure(Failure(reason: unsafe String(cString: strerror(status)))) }
        return .success(child)
    }
}
