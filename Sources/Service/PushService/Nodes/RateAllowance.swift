/// The calls of one caller that a node may still allow, as part of a limit that all nodes share.
///
/// A node takes calls from the shared window in portions. All nodes together never exceed the limit; calls that nodes have taken but
/// do not use are at most a tenth of it.
package struct RateAllowance: Hashable, Sendable {
    package enum Decision: Hashable, Sendable {
        case allowed(left: Int, ends: Duration)
        case refused(ends: Duration)
        /// The node has to take a portion first.
        case ask(calls: Int)
    }

    private var window: Int64 = 0
    private var calls = 0
    private var left = 0
    /// The end of the window, on the node's clock; nil before the first.
    private var end: Duration?

    package init() {}

    /// Returns the number of calls, at least 1, to take together from the limit of all nodes.
    package static func portion(of limit: Int, nodes: Int) -> Int { max(1, limit / (10 * max(1, nodes))) }

    /// Counts a call against the limit of all nodes, unless a portion has to be taken first.
    package mutating func take(at now: Duration, limit: Int, nodes: Int) -> Decision {
        if let portion = missing(at: now, limit: limit, nodes: nodes) { return .ask(calls: portion) }
        let ends = (end ?? now) - now
        guard calls > 0 else { return .refused(ends: ends) }
        calls -= 1
        return .allowed(left: calls + left, ends: ends)
    }

    /// Returns the portion to take before a call can be decided; nil if it can be.
    package func missing(at now: Duration, limit: Int, nodes: Int) -> Int? {
        if let end, now < end, calls > 0 || left == 0 { return nil }
        return Self.portion(of: limit, nodes: nodes)
    }

    /// Adds a portion, by the time at which it was requested.
    package mutating func add(_ share: RateShare, requestedAt time: Duration) {
        // Also an earlier one: the clock of a server that has taken over may be behind.
        if share.window != window { (window, calls) = (share.window, 0) }
        calls += share.calls
        left = share.left
        end = time + share.ends
    }
}
