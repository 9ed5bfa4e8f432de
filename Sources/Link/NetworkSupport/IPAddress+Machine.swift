extension IPAddress {
    /// Whether the address belongs to the machine itself or to one of its links: 127.0.0.0/8, 0.0.0.0/8, 169.254.0.0/16, ::1, ::,
    /// fe80::/10, and the IPv6 forms of these IPv4 addresses.
    package var isOfThisMachine: Bool {
        embedded?.isOfThisMachine ?? Self.own.contains { $0.contains(self) }
    }

    /// The last three are the IPv4 ranges as IPv4-compatible IPv6 addresses, which `::` and `::1` belong to.
    private static let own = [
        "0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "fe80::/10", "::/104", "::127.0.0.0/104", "::169.254.0.0/112",
    ].compactMap { IPRange($0) }
}
