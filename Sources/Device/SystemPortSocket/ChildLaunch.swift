import ProcessSpawn

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
        ProcessSpawn(
            path: path,
            arguments: [path],
            environment: environment,
            descriptors: [output, output, port]
        ).run().mapError { PortProblem("'\(path)' cannot be started: \($0.reason).") }
    }
}
