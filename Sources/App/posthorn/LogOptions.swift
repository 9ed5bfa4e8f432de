import ArgumentParser
import Logging

/// Logs go to standard error, so that standard output is what the command has to say.
struct LogOptions: ParsableArguments {
    @Option(
        help: "The least level that is logged: trace, debug, info, notice, warning, error or critical.",
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
    /// For a command that tells everything itself.
    static var quiet: Logger { Logger(label: "posthorn") { _ in SwiftLogNoOpLogHandler() } }
}
