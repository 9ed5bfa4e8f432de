import Logging
import PushService

/// A handler whose level can change in all copies of a logger, unless a logger has its own.
struct SwitchedLogHandler<Inner: LogHandler>: LogHandler {
    private var inner: Inner
    private let shared: Adjustable<Logger.Level>
    private var own: Logger.Level?

    init(_ inner: Inner, _ shared: Adjustable<Logger.Level>) {
        self.inner = inner
        self.shared = shared
        // The shared level decides.
        self.inner.logLevel = .trace
    }

    var logLevel: Logger.Level {
        get { own ?? shared.value }
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
