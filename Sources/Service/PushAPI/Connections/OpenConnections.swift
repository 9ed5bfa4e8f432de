import Foundation
import Logging
import NIOCore
import NetworkSupport
import PushClock
import PushModel
import PushService
import Synchronization

/// Counts the open connections and enforces their limits.
final class OpenConnections: Sendable {
    private struct State {
        var total = 0
        var byAddress: [String: Int] = [:]
        /// Connections refused since the last warning.
        var unreportedCount = 0
        var lastWarning: Date?
    }

    /// The minimum interval between warnings about refused connections.
    private static let warningInterval: TimeInterval = 60

    private let limits: ConnectionLimits
    private let proxies: ProxyRule
    private let metrics: APIMetrics
    private let logger: Logger
    private let clock: any CivilClock
    private let state = Mutex(State())

    /// Counts connections. Proxies carry those of many clients, and count towards the total only.
    init(
        _ limits: ConnectionLimits,
        proxies: ProxyRule,
        metrics: APIMetrics,
        logger: Logger,
        clock: any CivilClock
    ) {
        self.limits = limits
        self.proxies = proxies
        self.metrics = metrics
        self.logger = logger
        self.clock = clock
    }

    /// Counts a connection unless there are too many; each counted connection must ``leave(_:)``.
    func enter(_ peer: SocketAddress?) -> Bool {
        let counted = counted(peer)
        let reason: String? = state.withLock { state in
            if state.total >= limits.total { return "\(limits.total) are open, which is the limit of http.connections" }
            if let counted {
                let others = state.byAddress[counted, default: 0]
                if others >= limits.perAddress {
                    return "\(others) are open from \(counted), which is the limit of http.connectionsPerAddress"
                }
                state.byAddress[counted] = others + 1
            }
            state.total += 1
            // Under the lock, so that the last record is the newest.
            metrics.connections(state.total)
            return nil
        }
        if let reason {
            metrics.connectionRefused()
            warn(reason)
        }
        return reason == nil
    }

    func leave(_ peer: SocketAddress?) {
        let counted = counted(peer)
        state.withLock { state in
            state.total -= 1
            metrics.connections(state.total)
            if let counted { state.byAddress.countDown(counted) }
        }
    }

    /// Returns the network to count the peer's connection for; nil if it is exempt.
    private func counted(_ peer: SocketAddress?) -> String? {
        guard let address = peer?.ipAddress.flatMap({ IPAddress($0) }), !proxies.isProxy(address) else { return nil }
        return address.isLoopback && !limits.countsLoopback ? nil : address.network
    }

    private func warn(_ reason: String) {
        let now = clock.date
        let refused: Int? = state.withLock { state in
            state.unreportedCount += 1
            if let last = state.lastWarning, !last.isOver(after: Self.warningInterval, at: now) { return nil }
            defer {
                state.unreportedCount = 0
                state.lastWarning = now
            }
            return state.unreportedCount
        }
        guard let refused else { return }
        logger.warning("Connections are refused: \(reason)", metadata: ["refused": "\(refused)"])
    }
}

/// The maximum numbers of open connections, including links.
package struct ConnectionLimits: Hashable, Sendable {
    package var total: Int
    /// The limit for one IPv4 address or one IPv6 /64 network.
    ///
    /// Many phones share the address of a carrier. Configured proxies (`http.proxies`) carry connections of many clients and are exempt.
    package var perAddress: Int
    /// Whether the limit per address applies to the loopback.
    ///
    /// By default it does not: clients there already control the machine, and a local reverse proxy carries the connections of
    /// all clients.
    package var countsLoopback: Bool

    package init(total: Int = 100_000, perAddress: Int = 10_000, countsLoopback: Bool = false) {
        self.total = total
        self.perAddress = perAddress
        self.countsLoopback = countsLoopback
    }

    /// Returns the limits reduced to the process's file limit, because the server ends when the system refuses to open a file.
    package func within(files: Int) -> ConnectionLimits {
        var limits = self
        if files > 0 { limits.total = min(total, max(files - MachineFacts.Limits.otherFiles, files / 2)) }
        return limits
    }
}
