import NIOHTTP1

/// The error for a request whose `Host` is missing, repeated or not a host: two servers in a row could read it as two names.
///
/// Source: RFC 9112, section 3.2.
struct HostFieldProblem: Error, CustomStringConvertible {
    let description: String

    /// Nil for a request with a valid field; HTTP/1.0 needs none.
    init?(_ head: HTTPRequestHead) {
        var count = 0
        var first: String?
        // It runs for every request: the fields are looked through without an array of the values.
        for (name, value) in head.headers where name.utf8.count == 4 && name.lowercased() == "host" {
            count += 1
            first = value
        }
        guard count <= 1 else {
            description = "has \(count) Host fields; expected one"
            return
        }
        guard let host = first else {
            guard head.version == .http1_1 else { return nil }
            description = "has no Host field; HTTP/1.1 requires one"
            return
        }
        guard !host.utf8.allSatisfy(\.isOfHost) else { return nil }
        description = "has the Host field '\(host)'; expected a host, and a port if it is not the usual one"
    }
}

extension UInt8 {
    /// Whether a host or port may have the octet (RFC 3986, section 3.2.2).
    fileprivate var isOfHost: Bool {
        switch self {
        case UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "/"), UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: "?"), UInt8(ascii: "@"), UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"),
            UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: (0x21...0x7E).contains(self)
        }
    }
}
