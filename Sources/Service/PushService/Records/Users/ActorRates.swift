import Foundation
import PushModel
import Synchronization

/// Limits the changes of each actor in a minute: each is an entry of the audit log.
final class ActorRates: Sendable {
    enum Answer { case taken, firstTooMany, tooMany }

    private struct Window {
        var start: Date
        var count = 0
    }

    /// The length of a window in seconds.
    private static let length: TimeInterval = 60
    /// The number of windows above which those that are over are removed.
    private static let tidyAbove = 1000

    private let windows = Mutex<[String: Window]>([:])

    /// Counts a change, or an attempt to make one, unless the limit is reached.
    ///
    /// - Returns: the answer, and the seconds until the next change may be made; the first refusal of a minute differs from later ones.
    func take(_ actor: String, limit: Int, at now: Date) -> (answer: Answer, seconds: Int) {
        windows.withLock { windows in
            if windows.count > Self.tidyAbove {
                windows = windows.filter { !$0.value.start.isOver(after: Self.length, at: now) }
            }
            var window = windows[actor] ?? Window(start: now)
            if window.start.isOver(after: Self.length, at: now) { window = Window(start: now) }
            window.count += 1
            windows[actor] = window
            let seconds = Int((Self.length - now.timeIntervalSince(window.start)).rounded(.up))
            return (window.count <= limit ? .taken : window.count == limit + 1 ? .firstTooMany : .tooMany, seconds)
        }
    }
}
