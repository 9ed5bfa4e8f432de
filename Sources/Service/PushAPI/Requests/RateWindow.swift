package import Foundation
import PushModel

/// Counts an app's calls in windows of 60 seconds; a window begins with a call.
///
/// Source: JPush REST API v3, "Overview", section on rate limits.
package struct RateWindow: Sendable {
    package static let seconds: TimeInterval = 60

    /// The number of calls allowed in a window.
    package let limit: Int
    private var start = Date.distantPast
    private var used = 0

    package init(limit: Int) { self.limit = limit }

    /// The values of the rate headers of a response.
    package struct State: Hashable, Sendable {
        package var isAllowed: Bool
        package var limit: Int
        package var remaining: Int
        /// Whole seconds until the next window may start.
        package var reset: Int
    }

    package mutating func take(at now: Date) -> State {
        begin(at: now)
        let isAllowed = used < limit
        if isAllowed { used += 1 }
        return state(isAllowed: isAllowed, at: now)
    }

    /// Returns the state that the next call would find, without counting a call.
    package mutating func peek(at now: Date) -> State {
        begin(at: now)
        return state(isAllowed: used < limit, at: now)
    }

    private mutating func begin(at now: Date) {
        guard start.isOver(after: Self.seconds, at: now) else { return }
        start = now
        used = 0
    }

    private func state(isAllowed: Bool, at now: Date) -> State {
        let reset = start.addingTimeInterval(Self.seconds).timeIntervalSince(now)
        return State(isAllowed: isAllowed, limit: limit, remaining: limit - used, reset: Int(reset.rounded(.up)))
    }
}
