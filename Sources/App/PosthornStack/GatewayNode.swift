package import APNSGateway
import APNSProvider
package import AppleDeveloper
package import Logging
package import PushClock
package import PushModel

/// A complete gateway: TLS with its own authority, WebSockets, and keys in files.
package struct GatewayNode: Sendable {
    package let server: GatewayServer
    package let host: String
    package let authority: GatewayAuthority
    /// The path of the authority's certificate, in PEM.
    package let caPath: String
    /// The signing key for providers, generated at first start.
    package let key: GeneratedKey
    /// The path of that key, a `.p8` file like Apple's.
    package let keyPath: String
    /// The port of the control endpoint, once it is ready; nil if there is none.
    package let controlPort: Announcement<Int>?
    /// The path of the pages for people at the control endpoint; nil if there are none.
    private let consolePath: String?

    /// The storage of a gateway's tokens, mailboxes and channels.
    package enum Mail: String, Sendable, CaseIterable {
        /// On disk: every push answered with 200 survives a restart.
        case disk
        /// In memory: lost when the process ends.
        case memory
    }

    package static let teamID = "POSTHORN01"
    package static let keyID = "LOCALKEY01"

    /// Opens the listeners.
    ///
    /// `folder` is the folder of authority, secret and key; created if there is none. `authority` is a certificate to
    /// use instead of the one in the folder. `rules` is the configurable rules for judging, storing and holding
    /// back pushes.
    /// - Throws: an error if a port cannot be opened or the folder's mail cannot be read.
    package static func start(
        folder: String,
        authority: GatewayAuthority? = nil,
        mail: Mail = .disk,
        configuration: GatewayServer.Configuration,
        rules: GatewayRules = GatewayRules(),
        clock: any CivilClock,
        sink: (any JourneySink)?,
        logger: Logger
    ) async throws -> GatewayNode {
        let authority = try authority ?? GatewayAuthority(folder: folder)
        guard let caPath = authority.path else { preconditionFailure("An authority in a folder has a path.") }
        let secret = try GatewaySecret.load(folder: folder)
        let gateway =
            switch mail {
            case .memory: Gateway(secret: secret, clock: clock, sink: sink, rules: rules)
            case .disk:
                try Gateway(
                    secret: secret,
                    mail: DataFolder.path(of: "mail", in: folder),
                    clock: clock,
                    sink: sink,
                    rules: rules,
                    logger: logger
                )
            }
        if mail == .disk { try gateway.keepKeys(in: DataFolder.path(of: "keys", in: folder)) }
        let keyPath = Self.keyPath(of: keyID, in: folder)
        let key = try ProviderKeyFile.load(keyPath, id: keyID, team: teamID, for: gateway)
        var configuration = configuration
        let revoked = RevocationList(folder: folder)
        configuration.isRevoked = { revoked.isRevoked($0) }
        let controlPort = configuration.control.map { _ in Announcement<Int>() }
        configuration.control?.isRunning = { controlPort?.make(.success($0)) }
        let server = try await GatewayServer.start(
            gateway,
            authority: authority,
            configuration: configuration,
            logger: logger
        )
        return GatewayNode(
            server: server,
            host: configuration.host,
            authority: authority,
            caPath: caPath,
            key: key,
            keyPath: keyPath,
            controlPort: controlPort,
            consolePath: configuration.control?.pages.map { "/\($0.segment)" }
        )
    }

    /// The path of a key that the gateway generates for itself, with the name that Apple gives such a file.
    static func keyPath(of id: String, in folder: String) -> String {
        DataFolder.path(of: "AuthKey_\(id).p8", in: folder)
    }

    /// The URL of the control endpoint, once it is ready; nil if there is none.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    package var controlURL: String? {
        get async throws {
            guard let controlPort, let host = server.controlHost else { return nil }
            return "http://\(host.contains(":") ? "[\(host)]" : host):\(try await controlPort.value)"
        }
    }

    /// The URL of the pages for people, once they are ready; nil if there are none.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    package var consoleURL: String? {
        get async throws {
            guard let consolePath, let url = try await controlURL else { return nil }
            return url + consolePath
        }
    }

    /// The endpoints of this gateway for a provider.
    package var route: ProviderSender.Endpoints {
        func endpoint(_ environment: APNSEnvironment) -> APNSEndpoint {
            APNSEndpoint(host: host, port: server.port(for: environment) ?? 0, trust: .file(caPath))
        }
        return ProviderSender.Endpoints(development: endpoint(.development), production: endpoint(.production))
    }
}
