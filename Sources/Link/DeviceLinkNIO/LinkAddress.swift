import Foundation
import NIOCore
import NetworkSupport
import PushModel

/// The host, port and path of a `ws://` or `wss://` URL.
struct LinkAddress: Sendable {
    var isSecure: Bool
    var host: String
    var port: Int
    /// The path, including the query.
    var path: String
    /// Host and port as in the `host` header.
    var authority: String

    /// Whether the host is a numeric address, which TLS cannot use as a server name.
    var isNumeric: Bool { (try? SocketAddress(ipAddress: host, port: port)) != nil }

    struct NotALink: Error, CustomStringConvertible {
        var url: String
        var description: String {
            "'\(url.withoutURLUser)' is not a link address; expected ws://HOST:PORT/PATH or wss://…."
        }
    }

    init(_ url: String) throws(NotALink) {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            scheme == "ws" || scheme == "wss", let host = parts.encodedHost.flatMap({ URLHost($0) })
        else { throw NotALink(url: url) }
        isSecure = scheme == "wss"
        self.host = host.text
        port = parts.port ?? (isSecure ? 443 : 80)
        path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        if let query = parts.percentEncodedQuery { path += "?" + query }
        authority = parts.port.map { "\(host.authority):\($0)" } ?? host.authority
    }
}
