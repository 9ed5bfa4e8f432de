package import NIOCore
package import PushModel

/// The proxies whose `X-Forwarded-For` is trusted.
///
/// Any client can send that header. It is trusted from these addresses only, and the last address in it that is not one
/// of them counts.
package struct ProxyRule: Hashable, Sendable {
    /// The text is neither an address nor a range of addresses.
    package struct Malformed: Error, CustomStringConvertible {
        package var found: String
        package var description: String { "'\(found)' is neither an address nor a range such as 10.0.0.0/8" }
    }

    private let ranges: [IPRange]

    package static let none = ProxyRule(ranges: [])

    private init(ranges: [IPRange]) { self.ranges = ranges }

    /// `proxies` are addresses such as `127.0.0.1`, or ranges such as `10.0.0.0/8` and `fd00::/8`.
    package init(_ proxies: [String]) throws(Malformed) {
        var ranges: [IPRange] = []
        for text in proxies {
            guard let range = IPRange(text) else { throw Malformed(found: text) }
            ranges.append(range)
        }
        self.ranges = ranges
    }

    /// Returns the network of the client that sent a request; nil if unknown, as behind a Unix socket.
    ///
    /// `forwarded` is the values of `X-Forwarded-For`, in order.
    package func network(of peer: SocketAddress?, forwarded: [String]) -> String? {
        guard let peer = peer?.ipAddress.flatMap({ IPAddress($0) }) else { return nil }
        guard isProxy(peer) else { return peer.network }
        var last = peer
        for text in forwarded.flatMap({ $0.split(separator: ",") }).reversed() {
            // An unreadable entry identifies no client; the last address read counts.
            guard let address = IPAddress(forwarded: text) else { break }
            last = address
            if !isProxy(address) { break }
        }
        return last.network
    }

    /// Returns whether a request came to the first proxy over TLS.
    ///
    /// `forwarded` is the values of `X-Forwarded-Proto`, which is believed of a trusted proxy alone.
    package func isSecure(_ peer: SocketAddress?, forwarded: [String]) -> Bool {
        guard let peer = peer?.ipAddress.flatMap({ IPAddress($0) }), isProxy(peer) else { return false }
        let first = forwarded.first?.split(separator: ",").first.map { $0.drop { $0 == " " }.prefix { $0 != " " } }
        return first?.lowercased() == "https"
    }

    package func isProxy(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }
}

extension IPAddress {
    /// Reads an entry of `X-Forwarded-For`, which may have blanks around it, brackets around an IPv6 address, and a port.
    ///
    /// Source of the ports: xagent #1185. The port tells nothing about the client: each of its connections has another.
    fileprivate init?(forwarded entry: Substring) {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var text = entry.drop(while: isBlank)
        while text.last.map(isBlank) == true { text.removeLast() }
        var port = text[text.endIndex...]
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            port = text[text.index(after: end)...]
            text = text[..<end].dropFirst()
            guard text.contains(":") else { return nil }
        } else if let colon = text.firstIndex(of: ":"), text.lastIndex(of: ":") == colon {
            port = text[colon...]
            text = text[..<colon]
        }
        if !port.isEmpty {
            guard port.first == ":", UInt16(port.dropFirst()) != nil, port.utf8.count <= 6, !port.contains("+") else {
                return nil
            }
        }
        self.init(text)
    }
}
