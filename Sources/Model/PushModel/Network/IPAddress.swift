import Foundation

/// A numeric IPv4 or IPv6 address.
package struct IPAddress: Hashable, Sendable {
    /// The 4 or 16 bytes; an IPv4-mapped IPv6 address (`::ffff:192.0.2.7`) has 4.
    package let bytes: [UInt8]

    /// Reads an address in its usual form, from a header, a setting or a socket; nil for anything else, including names.
    ///
    /// The host of a URL has other spellings of an address, too: ``URLHost``.
    package init?(_ text: some StringProtocol) {
        // A string, because other modules reach this generic code as it is, which asks the type of text for each octet.
        let text = String(text)
        let isVersion6 = text.utf8.contains(UInt8(ascii: ":"))
        var bytes = [UInt8](repeating: 0, count: isVersion6 ? 16 : 4)
        guard !text.hasNUL, unsafe inet_pton(isVersion6 ? AF_INET6 : AF_INET, text, &bytes) == 1 else {
            return nil
        }
        let isMapped = bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10...11] == [0xFF, 0xFF]
        self.bytes = isMapped ? Array(bytes[12...]) : bytes
    }

    /// The network that counts as one client: the address itself for IPv4; for IPv6 its first 64 bits, as a subscriber
    /// owns all that follow.
    package var network: String {
        guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 8, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        return groups.map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
    }

    package var isLoopback: Bool { bytes.count == 4 ? bytes[0] == 127 : bytes == Array(repeating: 0, count: 15) + [1] }

    /// Creates an address from its 4 bytes.
    init(version4 bytes: [UInt8]) { self.bytes = bytes }

    /// The text of an IPv4 address; nil for one of IPv6.
    package var dotted: String? { bytes.count == 4 ? bytes.map(String.init).joined(separator: ".") : nil }
}

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
        return IPAddress(version4: Array(bytes.suffix(4)))
    }

    private static let special = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
    ].compactMap { IPRange($0) }
}

extension IPAddress {
    /// Whether the address belongs to the machine itself or to one of its links: 127.0.0.0/8, 0.0.0.0/8, 169.254.0.0/16, ::1, ::,
    /// fe80::/10, and the IPv6 forms of these IPv4 addresses.
    package var isOfThisMachine: Bool { embedded?.isOfThisMachine ?? Self.own.contains { $0.contains(self) } }

    /// The last three are the IPv4 ranges as IPv4-compatible IPv6 addresses, which `::` and `::1` belong to.
    private static let own = [
        "0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "fe80::/10", "::/104", "::127.0.0.0/104", "::169.254.0.0/112",
    ].compactMap { IPRange($0) }
}
