import Foundation
import Logging
import PushModel
import PushService

/// Writes each log entry to standard error as one line of JSON:
/// `{"time":"2026-11-24T08:00:00.123Z","level":"notice","logger":"posthorn","message":"…","metadata":{"app.key":"…"}}`.
struct JSONLogHandler: LogHandler {
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]
    var metadataProvider = LoggingSystem.metadataProvider
    private let label: String
    private let write: @Sendable (String) -> Void
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - label: the logger's label.
    ///   - now: the time of an entry.
    ///   - write: takes a line, without its ending.
    init(
        label: String,
        now: @escaping @Sendable () -> Date = { Date() },
        write: @escaping @Sendable (String) -> Void = printNote
    ) {
        self.label = label
        self.now = now
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let own = event.metadata { all.merge(own) { $1 } }
        var object: JSONObject = [
            "time": .string(now().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            "level": .string(event.level.rawValue), "logger": .string(label), "message": .string("\(event.message)"),
        ]
        if let error = event.error { object["error"] = .string("\(error)") }
        if !all.isEmpty { object["metadata"] = Self.json(.dictionary(all)) }
        write(object.text)
    }

    private static func json(_ value: Logger.MetadataValue) -> JSONValue {
        switch value {
        case .string(let text): .string(text)
        case .stringConvertible(let value): .string("\(value)")
        case .array(let values): .array(values.map(json))
        case .dictionary(let values):
            .object(JSONObject(values.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) }))
        }
    }
}

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
