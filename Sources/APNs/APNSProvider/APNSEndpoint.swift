package import APNSTransport
import NIOSSL
package import NetworkSupport
public import PushModel

/// The server that receives pushes, and the authorities to trust there.
public struct APNSEndpoint: Sendable {
    /// The certificate authorities that the client trusts.
    public enum Trust: Sendable {
        /// The system's certificate authorities.
        case system
        /// The authorities in a PEM file, such as a gateway's.
        case file(String)
    }

    /// The host name, which the server's certificate must contain.
    public var host: String
    /// The port: 443; APNs also listens on 2197.
    public var port: Int
    /// The name that the certificate must contain, if it is not ``host``.
    public var serverName: String?
    /// The certificate authorities to trust.
    public var trust: Trust

    /// Whether the certificate is verified; false accepts any, for measurements on the loopback only.
    package var isVerified = true
    /// The proxy to the server; nil for a direct connection.
    package var proxy: HTTPProxy?

    /// Creates an endpoint.
    public init(host: String, port: Int = 443, serverName: String? = nil, trust: Trust = .system) {
        self.host = host
        self.port = port
        self.serverName = serverName
        self.trust = trust
    }

    /// The error for a text that is no address of a proxy. It does not repeat the text, which may hold a password.
    public struct InvalidProxy: Error, Hashable, CustomStringConvertible {
        public var description: String { "The address of the proxy cannot be read; expected \(HTTPProxy.form)." }
    }

    /// Returns the endpoint behind an HTTP proxy, which opens a tunnel with CONNECT for each connection; TLS is with the endpoint.
    ///
    /// - Parameter url: `http://HOST:PORT` or `http://USER:PASSWORD@HOST:PORT`, with special characters percent-encoded.
    /// - Returns: the same endpoint behind the proxy.
    /// - Throws: ``InvalidProxy`` for any other text.
    public func through(proxy url: String) throws(InvalidProxy) -> Self {
        guard let proxy = HTTPProxy(url) else { throw InvalidProxy() }
        var endpoint = self
        endpoint.proxy = proxy
        return endpoint
    }

    /// Apple's service.
    public static func apple(_ environment: APNSEnvironment) -> Self { Self(host: environment.host) }
}

extension APNSEndpoint {
    /// - Throws: if the file of authorities cannot be read.
    package func target(showing certificate: APNSCertificate?) throws -> APNSConnection.Target {
        let roots: NIOSSLTrustRoots =
            switch trust {
            case .system: .default
            case .file(let path): .certificates(try NIOSSLCertificate.read(path))
            }
        return APNSConnection.Target(
            host: host,
            port: port,
            serverName: serverName,
            trustRoots: roots,
            isVerified: isVerified,
            identity: certificate.map { .init(chain: $0.chain, privateKey: $0.privateKey) },
            proxy: proxy
        )
    }
}
