import Foundation
import NIOCore

/// Where a `ws://` or `wss://` URL leads.
struct LinkAddress: Sendable {
    var isSecure: Bool
    var host: String
    var port: Int
    /// With the query.
    var path: String
    /// Host and port as the `host` header has them.
    var authority: String

    /// An address in digits: no name that TLS could ask for.
    var isNumeric: Bool { (try? SocketAddress(ipAddress: host, port: port)) != nil }

    struct NotALink: Error, CustomStringConvertible {
        var url: String
        var description: String { "'\(url)' is not the address of a link; expected ws://HOST:PORT/PATH or wss://…." }
    }

    init(_ url: String) throws(NotALink) {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            scheme == "ws" || scheme == "wss", let host = parts.host, !host.isEmpty
        else { throw NotALink(url: url) }
        isSecure = scheme == "wss"
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = parts.port ?? (isSecure ? 443 : 80)
        path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        if let query = parts.percentEncodedQuery { path += "?" + query }
        let shown = self.host.contains(":") ? "[\(self.host)]" : self.host
        authority = parts.port.map { "\(shown):\($0)" } ?? shown
    }
}
