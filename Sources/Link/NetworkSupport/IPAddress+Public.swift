extension IPAddress {
    /// Whether the address belongs to the public internet.
    ///
    /// Loopback, private, link-local (with the metadata services of clouds), unique local, shared, documentation, benchmark,
    /// multicast and reserved addresses do not. IPv6 addresses that stand for IPv4 addresses count as those.
    ///
    /// Source: IANA, "IPv4 Special-Purpose Address Registry" and "IPv6 Special-Purpose Address Registry".
    package var isPublic: Bool {
        if bytes.count == 4 { return !Self.special.contains { $0.contains(self) } }
        if let embedded { return embedded.isPublic }
        // Global unicast addresses are in 2000::/3.
        return bytes[0] & 0xE0 == 0x20 && !Self.special.contains { $0.contains(self) }
    }

    /// The IPv4 address in an address of NAT64 (`64:ff9b::/96`).
    var embedded: IPAddress? {
        guard bytes.starts(with: [0, 0x64, 0xFF, 0x9B] + Array(repeating: 0, count: 8)) else { return nil }
        return IPAddress(bytes.suffix(4).map(String.init).joined(separator: "."))
    }

    private static let special = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
    ].compactMap { IPRange($0) }
}
