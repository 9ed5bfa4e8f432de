import Logging
import Synchronization

/// Keeps what is logged.
final class MemoryLog: Sendable {
    struct Entry: Sendable {
        var level: Logger.Level
        var message: String
        var metadata: [String: String]
    }

    private struct Handler: LogHandler {
        let log: MemoryLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            log.kept.withLock {
                $0.append(
                    Entry(level: event.level, message: "\(event.message)", metadata: all.mapValues { "\($0)" })
                )
            }
        }
    }

    private let kept = Mutex<[Entry]>([])

    var entries: [Entry] { kept.withLock(\.self) }
    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }
}
