import ArgumentParser
import Logging

/// Logs go to standard error, so that standard output is what the command has to say.
struct LogOptions: ParsableArguments {
    @Option(help: "The least level that is logged: trace, debug, info, notice, warning, error or critical.")
    var logLevel: Logger.Level?

    func logger(_ label: String, default level: Logger.Level) -> Logger {
        var logger = Logger(label: label) { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = logLevel ?? level
        return logger
    }
}

extension Logger.Level: ExpressibleByArgument {}

extension LogOptions {
    /// For a command that tells everything itself.
    static var quiet: Logger { Logger(label: "posthorn") { _ in SwiftLogNoOpLogHandler() } }
}
