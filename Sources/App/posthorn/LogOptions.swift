import ArgumentParser
import Logging

/// The logging options. Logs go to standard error, so that standard output has only the command's output.
struct LogOptions: ParsableArguments {
    @Option(
        help: "Minimum log level: trace, debug, info, notice, warning, error or critical.",
        transform: Self.level
    )
    var logLevel: Logger.Level?

    private static func level(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else {
            let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--log-level is '\(text)'; expected one of \(known).")
        }
        return level
    }

    func logger(_ label: String, default level: Logger.Level) -> Logger {
        var logger = Logger(label: label) { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = logLevel ?? level
        return logger
    }
}

extension LogOptions {
    /// A logger that discards everything, for commands that print their own messages.
    static var quiet: Logger { Logger(label: "posthorn") { _ in SwiftLogNoOpLogHandler() } }
}
