/// How many connections may be open at a time, links among them.
package struct ConnectionLimits: Hashable, Sendable {
    package var total: Int
    /// From one IPv4 address, or one /64 network of IPv6. Many phones share the address of a carrier. A proxy that is told
    /// of (`http.proxies`) has connections for all, and is not counted.
    package var perAddress: Int
    /// Whether the loopback is one address like others. It is not by default: who can connect from there has the machine, and
    /// a reverse proxy on it comes from there with everybody's connections.
    package var countsLoopback: Bool

    package init(total: Int = 100_000, perAddress: Int = 10_000, countsLoopback: Bool = false) {
        self.total = total
        self.perAddress = perAddress
        self.countsLoopback = countsLoopback
    }

    /// Files that a process needs besides connections: the database, its readers, connections to APNs, name lookups.
    private static let otherFiles = 256

    /// No more connections than the process may have files: the system's refusal to open one more ends the server.
    package func within(files: Int) -> ConnectionLimits {
        var limits = self
        if files > 0 { limits.total = min(total, max(files - Self.otherFiles, files / 2)) }
        return limits
    }
}
