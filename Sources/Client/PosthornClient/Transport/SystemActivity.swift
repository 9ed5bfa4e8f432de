import Foundation

#if canImport(Darwin)
import Network
import os
#endif

/// The part of the system in the client's calls and log lines.
enum SystemActivity {
    /// Keeps the process from being suspended during a call, also when the app leaves the screen meanwhile, and marks the call in
    /// Instruments.
    ///
    /// - Returns: ends it.
    static func begin() -> @Sendable () -> Void {
        #if canImport(Darwin)
        let id = OSSignpostID(log: log)
        os_signpost(.begin, log: log, name: "call", signpostID: id)
        let isOver = DispatchSemaphore(value: 0)
        #if !os(macOS)
        // The block runs on a thread of its own. It is called again when the time is over, or alone if there is none.
        ProcessInfo.processInfo.performExpiringActivity(withReason: "Posthorn calls its service") { isExpiring in
            if isExpiring { isOver.signal() } else { isOver.wait() }
        }
        #endif
        return {
            os_signpost(.end, log: log, name: "call", signpostID: id)
            isOver.signal()
        }
        #else
        return {}
        #endif
    }

    /// Writes a line for the developer: to the system's log, or to standard error where there is none.
    @Sendable static func write(_ line: String) {
        #if canImport(Darwin)
        let (sentence, details) = parts(of: line)
        os_log("%{public}@%{private}@", log: log, sentence, details)
        #else
        FileHandle.standardError.write(Data("Posthorn: \(line)\n".utf8))
        #endif
    }

    /// Divides a line into the client's own words, which everybody may read, and what it quotes, such as an address or an alias.
    static func parts(of line: String) -> (sentence: String, details: String) {
        guard let end = line.range(of: ": ") else { return (line, "") }
        return (String(line[..<end.upperBound]), String(line[end.upperBound...]))
    }

    #if canImport(Darwin)
    private static let log = OSLog(subsystem: "posthorn", category: "client")

    private static let monitors = Guarded<[NWPathMonitor]>([])

    @Sendable static func watchNetwork(_ returned: @escaping @Sendable () -> Void) {
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { path in if path.status == .satisfied { returned() } }
        monitors.with { $0.append(monitor) }
        monitor.start(queue: DispatchQueue(label: "posthorn.network"))
    }
    #endif
}
