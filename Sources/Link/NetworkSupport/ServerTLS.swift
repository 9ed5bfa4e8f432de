package import Foundation
package import NIOCore
import NIOSSL
import Synchronization

/// TLS on a server's connections, with a certificate that is renewed on disk from time to time.
package final class ServerTLS: Sendable {
    private let certificates: String
    private let key: String
    private let protocols: [String]
    private let identity: Mutex<ServerIdentity>

    /// * `certificates`, `key`: see ``ServerIdentity/init(certificates:key:protocols:at:)``.
    /// `protocols` is the protocols offered in ALPN; clients that offer none of them are accepted all the same.
    package init(certificates: String, key: String, protocols: [String], at now: Date) throws(ServerIdentity.Problem) {
        self.certificates = certificates
        self.key = key
        self.protocols = protocols
        identity = Mutex(try ServerIdentity(certificates: certificates, key: key, protocols: protocols, at: now))
    }

    /// Checks whether the files have changed, and uses their contents for connections opened from now on.
    ///
    /// - Returns: whether they had changed.
    /// - Throws: when they have changed and cannot be used now; the previous identity stays in use. The next call checks them again, as
    ///   a certificate may become valid with time.
    package func renew(at now: Date) throws(ServerIdentity.Problem) -> Bool {
        let files = [try ServerIdentity.read(certificates), try ServerIdentity.read(key)]
        guard identity.withLock({ $0.files != files }) else { return false }
        let new = try ServerIdentity(certificates: certificates, key: key, protocols: protocols, at: now)
        identity.withLock { $0 = new }
        return true
    }

    /// The end of the validity of the certificate in use.
    package var notAfter: Date { identity.withLock(\.notAfter) }

    /// Adds TLS behind the existing handlers of a server's new connection. Call it on its event loop.
    package func addHandler(to channel: any Channel) throws {
        let handler = NIOSSLServerHandler(context: identity.withLock(\.context))
        try channel.pipeline.syncOperations.addHandler(handler)
    }
}
