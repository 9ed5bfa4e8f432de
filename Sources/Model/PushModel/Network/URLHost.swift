import Foundation

/// The host of a URL: a name, or a numeric address in any spelling that resolvers read.
///
/// Everything that connects to an address that others choose reads its host here, so that one parser decides where a URL leads: the
/// callbacks of pushes, files that an emulated phone fetches, and tunnels through a proxy. Resolvers, and so proxies, read `127.1`,
/// `0177.0.0.1`, `0X7F000001` and `2130706433` as 127.0.0.1. Such a host becomes the address that it stands for, and connections are made
/// to that text, never to the one that was written.
///
/// A host has letters, digits, `-`, `_` and `.` alone. It is never decoded: a `%` would let any character into the lines of a protocol.
///
/// Source: RFC 3986, section 3.2.2; POSIX, `inet_addr`; WHATWG, "URL", section "Host parsing".
package struct URLHost: Hashable, Sendable {
    /// The most bytes of a name, as in DNS (RFC 1035, section 2.3.4), with a dot at its end.
    private static let mostBytes = 254

    /// The name in lower case, or the numeric address; without brackets.
    package let text: String
    /// The address of a numeric host; nil for a name.
    package let address: IPAddress?

    /// Reads a host as it is written in a URL, not decoded; an IPv6 address has brackets there, and may lack them here.
    ///
    /// Nil for anything that is no host: other characters, and numbers that are no address.
    package init?(_ written: some StringProtocol) {
        let bytes = Array(written.utf8)
        guard (1...Self.mostBytes).contains(bytes.count),
            bytes.allSatisfy({ $0.isLetterOrDigit || "-_.:[]".utf8.contains($0) })
        else { return nil }
        let isBracketed = bytes.first == UInt8(ascii: "[") && bytes.last == UInt8(ascii: "]")
        let inner = isBracketed ? bytes.dropFirst().dropLast() : bytes[...]
        let text = String(decoding: inner, as: UTF8.self).lowercased()
        guard !text.contains(where: { $0 == "[" || $0 == "]" }) else { return nil }
        if isBracketed || text.contains(":") {
            guard text.contains(":"), let address = IPAddress(text) else { return nil }
            self.address = address
            self.text = address.dotted ?? text
            return
        }
        guard Self.endsInNumber(text) else {
            address = nil
            self.text = text
            return
        }
        guard let address = Self.version4(text) else { return nil }
        self.address = address
        self.text = address.dotted ?? text
    }

    /// The host as in the authority of a URL: an IPv6 address in brackets.
    package var authority: String { text.contains(":") ? "[\(text)]" : text }

    /// The address that the host has for every resolver: that of a numeric host, and 127.0.0.1 for the names of the loopback; nil for
    /// another name.
    ///
    /// Source: RFC 6761, section 6.3; systemd, `is_localhost`.
    package var knownAddress: IPAddress? {
        if let address { return address }
        let name = text.hasSuffix(".") ? String(text.dropLast()) : text
        let isLocal = ["localhost", "localhost.localdomain"].contains { name == $0 || name.hasSuffix("." + $0) }
        return isLocal || Self.localNames.contains(name) ? IPAddress(version4: [127, 0, 0, 1]) : nil
    }

    /// Further names of the loopback in the `/etc/hosts` of Linux distributions.
    private static let localNames: Set = ["ip6-localhost", "ip6-loopback", "localhost4", "localhost6"]

    /// Whether the last label is a number, which no name ends in. `text` is in lower case.
    private static func endsInNumber(_ text: String) -> Bool {
        guard let last = labels(text).last, !last.isEmpty else { return false }
        return last.utf8.allSatisfy(\.isDigit)
            || last.hasPrefix("0x") && last.utf8.dropFirst(2).allSatisfy { $0.hexadecimalDigit != nil }
    }

    /// The parts between dots, without the empty one after a dot at the end.
    private static func labels(_ text: String) -> [Substring] {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1 && labels.last?.isEmpty == true ? labels.dropLast() : labels
    }

    /// Reads one to four numbers, each decimal, octal with a leading `0`, or hexadecimal with a leading `0x`. The last one stands for all
    /// bytes that are left.
    private static func version4(_ text: String) -> IPAddress? {
        // WHATWG's parser takes a bare 0x for zero; C's does not.
        let written = labels(text).map { $0 == "0x" ? "0" : $0 }.joined(separator: ".")
        var address = in_addr()
        guard unsafe inet_aton(written, &address) != 0 else { return nil }
        return IPAddress(version4: unsafe withUnsafeBytes(of: address) { unsafe Array($0) })
    }
}
