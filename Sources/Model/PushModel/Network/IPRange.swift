/// A range of IP addresses.
package struct IPRange: Hashable, Sendable {
    private let address: IPAddress
    private let bits: Int

    /// Reads an address such as `127.0.0.1`, or a range such as `10.0.0.0/8` and `fd00::/8`; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(parts[0]) else { return nil }
        let all = address.bytes.count * 8
        guard let bits = parts.count > 1 ? Int(parts[1]) : all, (0...all).contains(bits) else { return nil }
        self.address = address
        self.bits = bits
    }

    package func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        let whole = bits / 8
        guard other.bytes[..<whole] == address.bytes[..<whole] else { return false }
        let rest = UInt8(bits % 8)
        return rest == 0 || (other.bytes[whole] ^ address.bytes[whole]) >> (8 - rest) == 0
    }
}
