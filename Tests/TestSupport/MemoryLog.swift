package import Logging
import Synchronization

/// Keeps what is logged.
package final class MemoryLog: Sendable {
    package struct Entry: Sendable {
        package var level: Logger.Level
        package var message: String
        package var metadata: [String: String]
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

    package init() {}

    package var entries: [Entry] { kept.withLock(\.self) }
    package var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }
}
