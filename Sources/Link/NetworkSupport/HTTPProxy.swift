import Foundation
import PushModel

/// A proxy that opens tunnels with HTTP CONNECT.
///
/// Source: RFC 9110, section 9.3.6.
package struct HTTPProxy: Hashable, Sendable {
    /// The form that ``init(_:)`` reads.
    package static let form = "http://HOST:PORT, or http://USER:PASSWORD@HOST:PORT"

    /// The error if the proxy opens no tunnel.
    package struct Failure: LocalizedError, CustomStringConvertible, Hashable {
        /// The status of the proxy's answer; nil if it gave none.
        package var status: Int?
        package var description: String
        package var errorDescription: String? { description }
    }

    package let host: String
    package let port: Int
    /// The value of `Proxy-Authorization`; nil without credentials.
    private let authorization: String?

    /// Reads a URL of the ``form``, in which special characters of user and password are percent-encoded; nil for any other text.
    ///
    /// As in the variables of other tools, `http://` may be missing, and blanks and line ends around the URL do not count.
    package init?(_ text: String) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let url = URLComponents(string: text.contains("://") ? text : "http://" + text),
            url.scheme?.lowercased() == "http",
            let host = url.encodedHost.flatMap({ URLHost($0) }),
            let port = url.port, (1...65_535).contains(port), ["", "/"].contains(url.path), url.query == nil,
            url.fragment == nil
        else { return nil }
        self.host = host.text
        self.port = port
        authorization = url.user.map { user in
            "Basic " + Data("\(user):\(url.password ?? "")".utf8).base64EncodedString()
        }
    }

    /// The address without the credentials.
    package var address: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// Returns the request for a tunnel. A host that is none would write lines of its own into it.
    func request(for host: String, _ port: Int) throws(Failure) -> String {
        guard let host = URLHost(host) else {
            throw Failure(
                description: "The proxy \(address) is asked for no tunnel to '\(host.printed)', which is not a host."
            )
        }
        let target = "\(host.authority):\(port)"
        let credentials = authorization.map { "Proxy-Authorization: \($0)\r\n" } ?? ""
        return "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\(credentials)\r\n"
    }
}
