package import APNSProvider
import Foundation
package import Logging
package import PushClock
package import PushModel
package import PushService
import Synchronization

/// The service's sender over the provider client: one client for each app, environment and credential.
package actor ProviderSender: PushSender {
    /// Where pushes of each environment go.
    package struct Route: Sendable {
        package var development: APNSEndpoint
        package var production: APNSEndpoint

        package init(development: APNSEndpoint, production: APNSEndpoint) {
            self.development = development
            self.production = production
        }

        package static let apple = Route(development: .apple(.development), production: .apple(.production))

        func endpoint(_ environment: APNSEnvironment) -> APNSEndpoint {
            switch environment {
            case .development: development
            case .production: production
            }
        }
    }

    private let vault: CredentialVault
    private let route: Route
    private let clock: any CivilClock
    private let logger: Logger
    private let retries = RetryNotes()
    private var clients: [Lane: APNSClient] = [:]
    /// When the certificates expire that clients use.
    private var ends: [Lane: Date] = [:]

    package init(vault: CredentialVault, route: Route, clock: any CivilClock, logger: Logger) {
        self.vault = vault
        self.route = route
        self.clock = clock
        self.logger = logger
    }

    package func send(_ push: APNSPush, for app: App, environment: APNSEnvironment) async -> SendOutcome {
        let lane = Lane(app: app.id, environment: environment)
        let client: APNSClient
        do {
            guard let found = try await self.client(on: lane) else {
                return SendOutcome(.paused(.noCredential, detail: "The app has no APNs credential."))
            }
            client = found
        } catch let error as ExpiredCertificate {
            return SendOutcome(.paused(.certificateExpired, detail: "\(error)"))
        } catch {
            return SendOutcome(.paused(.credentialRefused, detail: "\(error)"))
        }
        let outcome = await client.send(push)
        let noted = retries.take(push.id)
        switch outcome {
        case .accepted:
            return SendOutcome(.accepted, retries: noted)
        case .refused(_, let reason, _) where reason.concernsCredential:
            // The next attempt asks the vault again: the credential may have been replaced meanwhile.
            if clients[lane] === client {
                clients[lane] = nil
                await client.shutdown()
            }
            return SendOutcome(.paused(.credentialRefused, detail: reason.rawValue), retries: noted)
        case .refused(_, let reason, let timestamp):
            let unregisteredAt = timestamp.map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
            return SendOutcome(.refused(reason, unregisteredAt: unregisteredAt), retries: noted)
        case .failed(let description):
            return SendOutcome(.unreachable(description), retries: noted)
        }
    }

    private func client(on lane: Lane) async throws -> APNSClient? {
        if let end = ends[lane], end <= clock.date {
            // It may have been replaced meanwhile.
            ends[lane] = nil
            await clients.removeValue(forKey: lane)?.shutdown()
        }
        if let client = clients[lane] { return client }
        guard let credential = try await credential(of: lane) else { return nil }
        // While the vault was asked another push may have made the client.
        if let client = clients[lane] { return client }
        let client = APNSClient(
            credential: credential,
            endpoint: route.endpoint(lane.environment),
            configuration: APNSClientConfiguration(
                deadline: .seconds(10),
                retried: { [retries] push, reason in retries.add(reason, to: push.id) }
            ),
            clock: clock,
            logger: logger
        )
        clients[lane] = client
        return client
    }

    /// A p8 key goes before certificates, as it does not expire.
    private func credential(of lane: Lane) async throws -> APNSCredential? {
        if let key = try await vault.credential(of: lane.app) {
            return .key(try APNSSigningKey(p8: key.privateKey, keyID: key.keyID, teamID: key.teamID))
        }
        guard let certificate = try await vault.certificate(of: lane.app, lane.environment) else { return nil }
        guard certificate.notAfter > clock.date else { throw ExpiredCertificate(end: certificate.notAfter) }
        ends[lane] = certificate.notAfter
        return .certificate(try APNSCertificate(p12: certificate.p12, passPhrase: certificate.passPhrase))
    }

    /// Waits for the pushes on their way and closes all connections.
    package func shutdown() async {
        for client in clients.values { await client.shutdown() }
        clients = [:]
    }
}

private struct ExpiredCertificate: Error, CustomStringConvertible {
    var end: Date
    var description: String { "The certificate expired on \(end.formatted(.iso8601))." }
}

/// Why pushes were tried again, until their outcome is known.
private final class RetryNotes: Sendable {
    private let reasons = Mutex<[String: [String]]>([:])

    func add(_ reason: String, to push: String) { reasons.withLock { $0[push, default: []].append(reason) } }
    func take(_ push: String) -> [String] { reasons.withLock { $0.removeValue(forKey: push) ?? [] } }
}

extension APNSReason {
    /// Whether every other push of the app would be refused for the same reason.
    fileprivate var concernsCredential: Bool { advice.action == .pauseCredential || self == .topicDisallowed }
}
