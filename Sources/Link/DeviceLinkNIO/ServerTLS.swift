package import Foundation
package import NIOCore
import NIOSSL
import Synchronization

/// TLS on a server's connections, under a certificate that is renewed on disk from time to time.
package final class ServerTLS: Sendable {
    private struct State {
        var context: NIOSSLContext
        /// What is shown was read from these.
        var files: [Data]
        /// With what was read since then.
        var told: ServerIdentity.Problem?
    }

    private let certificates: String
    private let key: String
    private let protocols: [String]
    private let state: Mutex<State>

    /// * `certificates`, `key`: see ``ServerIdentity/init(certificates:key:at:)``.
    /// * `protocols`: what ALPN may agree on; clients that offer nothing of it are taken all the same.
    package init(
        certificates: String,
        key: String,
        protocols: [String],
        at now: Date
    ) throws(ServerIdentity.Problem) {
        self.certificates = certificates
        self.key = key
        self.protocols = protocols
        let identity = try ServerIdentity(certificates: certificates, key: key, at: now)
        state = Mutex(State(context: try Self.context(of: identity, protocols), files: identity.files))
    }

    private static func context(
        of identity: ServerIdentity,
        _ protocols: [String]
    ) throws(ServerIdentity.Problem) -> NIOSSLContext {
        do { return try identity.context(protocols: protocols) } catch {
            throw ServerIdentity.Problem(description: "\(error)")
        }
    }

    /// Looks whether the files have changed, and shows what is in them to connections that come from now on.
    ///
    /// Returns whether they had.
    /// - Throws: when they have changed and cannot be used now; what was shown before is shown on. They are looked at again, as a
    ///   certificate may become valid with time; the same problem is told once.
    package func renew(at now: Date) throws(ServerIdentity.Problem) -> Bool {
        do throws(ServerIdentity.Problem) {
            let files = [try ServerIdentity.read(certificates), try ServerIdentity.read(key)]
            guard state.withLock({ $0.files != files }) else { return false }
            let identity = try ServerIdentity(certificates: certificates, key: key, at: now)
            let context = try Self.context(of: identity, protocols)
            state.withLock { state in
                (state.context, state.files, state.told) = (context, identity.files, nil)
            }
            return true
        } catch {
            let isNews = state.withLock { state in
                defer { state.told = error }
                return state.told != error
            }
            if isNews { throw error }
            return false
        }
    }

    /// Puts TLS behind the handlers that a server's new connection has so far. On its event loop.
    package func addHandler(to channel: any Channel) throws {
        let handler = NIOSSLServerHandler(context: state.withLock(\.context))
        try channel.pipeline.syncOperations.addHandler(handler)
    }
}
