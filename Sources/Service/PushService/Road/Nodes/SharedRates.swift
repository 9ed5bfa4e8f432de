package import Logging
import PushClock
import Synchronization

/// Counts calls against limits that all nodes share.
///
/// Most calls are decided in memory. A node asks the store for a portion of a window when it has used up the last one; calls that come
/// meanwhile wait for the same answer.
package final class SharedRates: Sendable {
    /// The state of a window after a call.
    package struct State: Hashable, Sendable {
        package var isAllowed: Bool
        /// The number of calls that are left, as far as this node knows.
        package var left: Int
        /// The time until the window ends.
        package var ends: Duration
    }

    private let store: any RateStore
    private let membership: NodeMembership
    private let logger: Logger
    private let allowances = Mutex<[String: RateAllowance]>([:])
    /// Held while portions are requested.
    private let asking = AsyncMutex()

    package init(store: any RateStore, membership: NodeMembership, logger: Logger) {
        self.store = store
        self.membership = membership
        self.logger = logger
    }

    /// Counts a call of a caller to a family of endpoints against the limit of all nodes if that is possible without the
    /// store and the call is allowed; otherwise returns nil.
    package func takeAtOnce(_ key: String, limit: Int) -> State? {
        decide(key, limit: limit).flatMap { $0.isAllowed ? $0 : nil }
    }

    /// Counts a call of a caller to a family of endpoints, unless the limit of all nodes is reached. Returns nil if the
    /// store does not answer: the node then has to count for itself.
    package func take(_ key: String, limit: Int) async -> State? {
        do {
            // Each round takes a portion of at least one call, which another waiting call may use first.
            while true {
                if let state = decide(key, limit: limit) { return state }
                try await asking.withLock { try await ask(key, limit: limit) }
            }
        } catch {
            logger.debug("The shared rate limits cannot be reached", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// Counts a call that is allowed.
    ///
    /// - Returns: nil if the store has to be asked.
    private func decide(_ key: String, limit: Int) -> State? {
        let now = membership.now
        let nodes = membership.aliveNodes
        return allowances.withLock { allowances in
            switch allowances[key, default: RateAllowance()].take(at: now, limit: limit, nodes: nodes) {
            case .allowed(let left, let ends): State(isAllowed: true, left: left, ends: ends)
            case .refused(let ends): State(isAllowed: false, left: 0, ends: ends)
            case .ask: nil
            }
        }
    }

    /// Takes a portion, unless another call has just done so.
    private func ask(_ key: String, limit: Int) async throws {
        let now = membership.now
        let nodes = membership.aliveNodes
        let calls = allowances.withLock {
            $0[key, default: RateAllowance()].missing(at: now, limit: limit, nodes: nodes)
        }
        guard let calls else { return }
        let share = try await store.take(calls, of: limit, for: key)
        allowances.withLock { $0[key, default: RateAllowance()].add(share, requestedAt: now) }
    }
}

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
        if share.window != window {
            window = share.window
            calls = 0
        }
        calls += share.calls
        left = share.left
        end = time + share.ends
    }
}
