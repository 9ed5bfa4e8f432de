import ArgumentParser
import Logging
import PushService

/// The form of log lines.
enum LogFormat: String, CaseIterable, ExpressibleByArgument {
    case text
    /// One JSON object per line.
    case json
}

/// The logging options. Logs go to standard error, so that standard output has only the command's output.
struct LogOptions: ParsableArguments {
    @Option(help: "Minimum log level: trace, debug, info, notice, warning, error or critical.", transform: Self.level)
    var logLevel: Logger.Level?

    @Option(help: "Form of the log: text, or json for an object per line.") var logFormat: LogFormat?

    private static func level(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else {
            throw ValidationError("--log-level is '\(text)'; expected one of \(Logger.Level.names).")
        }
        return level
    }

    func logger(_ label: String, default level: Logger.Level) -> Logger {
        Self.logger(label, at: Adjustable(logLevel ?? level), logFormat ?? .text)
    }

    /// A logger that discards everything, for commands that print their own messages.
    static var quiet: Logger { Logger(label: "posthorn") { _ in SwiftLogNoOpLogHandler() } }

    /// Returns a logger whose level can change, in all its copies.
    static func logger(_ label: String, at level: Adjustable<Logger.Level>, _ format: LogFormat) -> Logger {
        Logger(label: label) { label in
            switch format {
            case .text: SwitchedLogHandler(StreamLogHandler.standardError(label: label), level)
            case .json: SwitchedLogHandler(JSONLogHandler(label: label), level)
            }
        }
    }
}

extension Logger.Level {
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
