import PushService

/// The maximum numbers of open connections, including links.
package struct ConnectionLimits: Hashable, Sendable {
    package var total: Int
    /// The limit for one IPv4 address or one IPv6 /64 network.
    ///
    /// Many phones share the address of a carrier. Configured proxies (`http.proxies`) carry connections of many clients and
    /// are exempt.
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
