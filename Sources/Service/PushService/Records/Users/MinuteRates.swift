package import Foundation
import PushModel
import Synchronization

/// Limits the calls of each key in a minute, such as the changes of an actor, each of which is an entry of the audit log.
package final class MinuteRates<Key: Hashable & Sendable>: Sendable {
    package enum Answer: Sendable { case taken, firstTooMany, tooMany }

    private struct Window {
        var start: Date
        var count = 0
    }

    /// The maximum number of keys. Those whose windows are over make room; if there are none, calls of new keys are too many.
    private static var most: Int { 100_000 }

    private let windows = Mutex(TidyTable<Key, Window>(above: 1000))

    package init() {}

    /// Counts a call, or an attempt to make one, unless the limit is reached.
    ///
    /// - Returns: the answer, and the seconds until the window ends; the first refusal of a minute differs from later ones.
    package func take(_ key: Key, limit: Int, at now: Date) -> (answer: Answer, seconds: Int) {
        let length: TimeInterval = 60
        return windows.withLock { windows in
            windows.tidy { $1.start.isOver(after: length, at: now) }
            guard windows.values[key] != nil || windows.values.count < Self.most else { return (.tooMany, Int(length)) }
            var window = windows.values[key] ?? Window(start: now)
            if window.start.isOver(after: length, at: now) { window = Window(start: now) }
            window.count += 1
            windows.values[key] = window
            let seconds = max(1, Int((length - now.timeIntervalSince(window.start)).rounded(.up)))
            return (window.count <= limit ? .taken : window.count == limit + 1 ? .firstTooMany : .tooMany, seconds)
        }
    }
}
