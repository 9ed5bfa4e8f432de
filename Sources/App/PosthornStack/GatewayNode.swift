package import APNSGateway
import APNSProvider
import Foundation
package import Logging
package import PushClock
package import PushModel

/// The gateway on its real parts: TLS under its own authority, WebSockets, keys in files.
package struct GatewayNode: Sendable {
    package let server: GatewayServer
    package let host: String
    package let authority: GatewayAuthority
    /// The path of the authority's certificate, in PEM.
    package let caPath: String
    /// The key that was made at first start, for whoever pushes here.
    package let key: GeneratedKey
    /// The path of that key, a `.p8` as Apple hands them out.
    package let keyPath: String
    /// The port of the control endpoint, once it answers; nil if there is none.
    package let controlPort: Announcement<Int>?

    /// Where a gateway has its tokens, mailboxes and channels.
    package enum Mail: String, Sendable, CaseIterable {
        /// Every push that is answered with 200 is there again after a restart.
        case disk
        /// Gone with the process.
        case memory
    }

    package static let teamID = "POSTHORN01"
    package static let keyID = "LOCALKEY01"

    /// Opens the listeners.
    ///
    /// `folder`: where authority, secret and key lie; made if there is none.
    /// `authority`: another certificate than the one in the folder.
    /// `policy`: what is kept for a device that is away.
    /// `rules`: what of the judgement, and of what a device is spared, can be chosen.
    /// - Throws: also when the folder's mail cannot be read.
    package static func start(
        folder: String,
        authority: GatewayAuthority? = nil,
        mail: Mail = .disk,
        configuration: GatewayServer.Configuration,
        policy: Mailbox.Policy = .placePerCollapseID,
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
            case .memory: Gateway(secret: secret, clock: clock, sink: sink, policy: policy, rules: rules)
            case .disk:
                try Gateway(
                    secret: secret,
                    mail: DataFolder.path(of: "mail", in: folder),
                    clock: clock,
                    sink: sink,
                    policy: policy,
                    rules: rules,
                    logger: logger
                )
            }
        let keyPath = DataFolder.path(of: "AuthKey_\(keyID).p8", in: folder)
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
            controlPort: controlPort
        )
    }

    /// Where the control endpoint is, once it answers; nil if there is none.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    package var controlURL: String? {
        get async throws {
            guard let controlPort, let host = server.controlHost else { return nil }
            return "http://\(host.contains(":") ? "[\(host)]" : host):\(try await controlPort.value)"
        }
    }

    /// Where a provider finds this gateway.
    package var route: ProviderSender.Route {
        func endpoint(_ environment: APNSEnvironment) -> APNSEndpoint {
            APNSEndpoint(host: host, port: server.port(for: environment) ?? 0, trust: .file(caPath))
        }
        return ProviderSender.Route(development: endpoint(.development), production: endpoint(.production))
    }
}
