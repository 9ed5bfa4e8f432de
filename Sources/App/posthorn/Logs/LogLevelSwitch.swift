import Logging
import Synchronization

/// The minimum level of a process's log, which can change while it runs.
final class LogLevelSwitch: Sendable {
    private let state: Mutex<Logger.Level>

    init(_ level: Logger.Level) { state = Mutex(level) }

    var level: Logger.Level {
        get { state.withLock(\.self) }
        set { state.withLock { $0 = newValue } }
    }
}

/// A handler with the level of a switch, unless a logger has its own.
struct SwitchedLogHandler<Inner: LogHandler>: LogHandler {
    private var inner: Inner
    private let shared: LogLevelSwitch
    private var own: Logger.Level?

    init(_ inner: Inner, _ shared: LogLevelSwitch) {
        self.inner = inner
        self.shared = shared
        // The switch decides.
        self.inner.logLevel = .trace
    }

    var logLevel: Logger.Level {
        get { own ?? shared.level }
        set { own = newValue }
    }

    var metadata: Logger.Metadata {
        get { inner.metadata }
        set { inner.metadata = newValue }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { inner.metadataProvider }
        set { inner.metadataProvider = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { inner[metadataKey: key] }
        set { inner[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) { inner.log(event: event) }
}
