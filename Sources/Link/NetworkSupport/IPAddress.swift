/// A numeric IPv4 or IPv6 address.
package struct IPAddress: Hashable, Sendable {
    /// The 4 or 16 bytes; an IPv4-mapped IPv6 address (`::ffff:192.0.2.7`) has 4.
    package let bytes: [UInt8]

    /// Reads an address from a header or a socket; nil for anything else, including names.
    package init?(_ text: some StringProtocol) {
        guard let bytes = text.contains(":") ? Self.version6(text) : Self.version4(text) else { return nil }
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

    private static func version4(_ text: some StringProtocol) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        let bytes = parts.compactMap { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt8(part) : nil
        }
        return bytes.count == 4 ? bytes : nil
    }

    private static func version6(_ text: some StringProtocol) -> [UInt8]? {
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        guard halves.count <= 2 else { return nil }
        var parts: [[UInt8]] = []
        for (place, half) in halves.enumerated() {
            let groups = half.split(separator: ":", omittingEmptySubsequences: false)
            var bytes: [UInt8] = []
            for (number, group) in groups.enumerated() where !half.isEmpty {
                let isLast = place == halves.count - 1 && number == groups.count - 1
                if isLast, group.contains(".") {
                    guard let four = version4(group) else { return nil }
                    bytes += four
                } else {
                    guard (1...4).contains(group.utf8.count), let value = UInt16(group, radix: 16) else { return nil }
                    bytes += [UInt8(value >> 8), UInt8(value & 0xFF)]
                }
            }
            parts.append(bytes)
        }
        let missing = 16 - parts.reduce(0) { $0 + $1.count }
        guard halves.count == 2 ? missing >= 2 : missing == 0 else { return nil }
        return parts[0] + Array(repeating: 0, count: missing) + parts.dropFirst().joined()
    }
}
