import Foundation
import Synchronization

/// The SDK's log on standard error, for developers.
final class JPushLog: Sendable {
    enum Level: Int, Sendable {
        case debug
        case info
        case warning
        case error
    }

    private let lowest = Mutex(Level.info)

    /// Sets the lowest level that is logged.
    func set(_ level: Level) { lowest.withLock { $0 = level } }

    func write(_ level: Level, _ text: String) {
        guard level.rawValue >= lowest.withLock(\.rawValue) else { return }
        FileHandle.standardError.write(Data("JPush: \(text)\n".utf8))
    }
}
