package import Foundation
package import NIOCore
import NIOSSL
import Synchronization

/// TLS on a server's connections, with a certificate that is renewed on disk from time to time.
package final class ServerTLS: Sendable {
    private struct State {
        var context: NIOSSLContext
        var notAfter: Date
        /// The file contents that the current identity was read from.
        var files: [Data]
    }

    private let certificates: String
    private let key: String
    private let protocols: [String]
    private let state: Mutex<State>

    /// * `certificates`, `key`: see ``ServerIdentity/init(certificates:key:at:)``.
    /// `protocols` is the protocols offered in ALPN; clients that offer none of them are accepted all the same.
    package init(certificates: String, key: String, protocols: [String], at now: Date) throws(ServerIdentity.Problem) {
        self.certificates = certificates
        self.key = key
        self.protocols = protocols
        let identity = try ServerIdentity(certificates: certificates, key: key, at: now)
        state = Mutex(
            State(
                context: try Self.context(of: identity, protocols),
                notAfter: identity.notAfter,
                files: identity.files
            )
        )
    }

    private static func context(
        of identity: ServerIdentity,
        _ protocols: [String]
    ) throws(ServerIdentity.Problem) -> NIOSSLContext {
        do { return try identity.context(protocols: protocols) } catch {
            throw ServerIdentity.Problem("\(error)")
        }
    }

    /// Checks whether the files have changed, and uses their contents for connections opened from now on.
    ///
    /// - Returns: whether they had changed.
    /// - Throws: when they have changed and cannot be used now; the previous identity stays in use. The next call checks them again, as
    ///   a certificate may become valid with time.
    package func renew(at now: Date) throws(ServerIdentity.Problem) -> Bool {
        let files = [try ServerIdentity.read(certificates), try ServerIdentity.read(key)]
        guard state.withLock({ $0.files != files }) else { return false }
        let identity = try ServerIdentity(certificates: certificates, key: key, at: now)
        let context = try Self.context(of: identity, protocols)
        state.withLock { state in
            state.context = context
            state.notAfter = identity.notAfter
            state.files = identity.files
        }
        return true
    }

    /// The end of the validity of the certificate in use.
    package var notAfter: Date { state.withLock(\.notAfter) }

    /// Adds TLS behind the existing handlers of a server's new connection. Call it on its event loop.
    package func addHandler(to channel: any Channel) throws {
        let handler = NIOSSLServerHandler(context: state.withLock(\.context))
        try channel.pipeline.syncOperations.addHandler(handler)
    }
}
