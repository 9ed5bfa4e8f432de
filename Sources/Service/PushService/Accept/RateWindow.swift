package import Foundation

/// Counts an app's calls in windows of 60 seconds that begin with a call.
///
/// Source: JPush REST API v3, "Overview", section on rate limits.
package struct RateWindow: Sendable {
    package static let seconds: TimeInterval = 60

    /// Calls a window.
    package let limit: Int
    private var start = Date.distantPast
    private var used = 0

    package init(limit: Int) { self.limit = limit }

    /// What the rate headers of an answer say.
    package struct State: Hashable, Sendable {
        package var isAllowed: Bool
        package var limit: Int
        package var remaining: Int
        /// Whole seconds until the window starts again.
        package var reset: Int
    }

    package mutating func take(at now: Date) -> State {
        begin(at: now)
        let isAllowed = used < limit
        if isAllowed { used += 1 }
        return state(isAllowed: isAllowed, at: now)
    }

    /// What the next call would find, without counting one.
    package mutating func look(at now: Date) -> State {
        begin(at: now)
        return state(isAllowed: used < limit, at: now)
    }

    private mutating func begin(at now: Date) {
        guard now >= start.addingTimeInterval(Self.seconds) else { return }
        start = now
        used = 0
    }

    private func state(isAllowed: Bool, at now: Date) -> State {
        let reset = start.addingTimeInterval(Self.seconds).timeIntervalSince(now)
        return State(isAllowed: isAllowed, limit: limit, remaining: limit - used, reset: Int(reset.rounded(.up)))
    }
}
