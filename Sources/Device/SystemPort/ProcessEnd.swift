/// The way in which a process of an app ended by itself.
public enum ProcessEnd: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The process ended by itself, with this status.
    case exited(status: Int32)
    /// A signal ended the process.
    case killed(signal: Int32)
    /// It could not be started, or did not follow the app protocol; the text is human-readable.
    case failed(String)

    public var description: String {
        switch self {
        case .exited(let status): "exited with status \(status)"
        case .killed(let signal):
            if let name = Self.signals[signal] {
                "killed by signal \(signal) (\(name))"
            } else {
                "killed by signal \(signal)"
            }
        case .failed(let reason): reason
        }
    }

    /// The names of Linux's signal numbers.
    private static let signals: [Int32: String] = [
        1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
        9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM", 24: "SIGXCPU", 31: "SIGSYS",
    ]
}
