package import APNSProvider
import Foundation
package import Logging
package import PushClock
package import PushModel
package import PushService
import Synchronization

/// The service's sender, which uses one provider client per app, environment and credential.
package actor ProviderSender: PushSender {
    /// The endpoint of each environment.
    package struct Endpoints: Sendable {
        package var development: APNSEndpoint
        package var production: APNSEndpoint

        package init(development: APNSEndpoint, production: APNSEndpoint) {
            self.development = development
            self.production = production
        }

        package static let apple = Endpoints(development: .apple(.development), production: .apple(.production))

        func endpoint(_ environment: APNSEnvironment) -> APNSEndpoint {
            switch environment {
            case .development: development
            case .production: production
            }
        }
    }

    private let vault: CredentialVault
    private let route: Endpoints
    let clock: any CivilClock
    let logger: Logger
    private var clients: [Destination: APNSClient] = [:]
    /// The expiration dates of the clients' certificates.
    private var expirations: [Destination: Date] = [:]
    /// The clients that are no longer used, until they are closed.
    private var closing: [Int: Task<Void, Never>] = [:]
    private var lastClosing = 0
    /// The number of changes of credentials, by which a read that began before one is recognised.
    private var changes = 0

    package init(vault: CredentialVault, route: Endpoints, clock: any CivilClock, logger: Logger) {
        (self.vault, self.route, self.clock, self.logger) = (vault, route, clock, logger)
    }

    package func send(_ batch: SendBatch, for app: App, environment: APNSEnvironment) async -> SendOutcomes {
        let destination = Destination(app: app.id, environment: environment)
        let client: APNSClient
        do {
            guard let found = try await self.client(for: destination) else {
                let outcome = SendOutcome(.paused(.noCredential, detail: "The app has no APNs credential."))
                return SendOutcomes(all: batch.count, outcome)
            }
            client = found
        } catch let error as ExpiredCertificate {
            return SendOutcomes(all: batch.count, SendOutcome(.paused(.certificateExpired, detail: "\(error)")))
        } catch let error as StoreError {
            // It says nothing about the credential.
            let ending = SendOutcome.Ending.undecided("The app's credential could not be read: \(error)", after: nil)
            return SendOutcomes(all: batch.count, SendOutcome(ending))
        } catch {
            return SendOutcomes(all: batch.count, SendOutcome(.paused(.credentialRefused, detail: "\(error)")))
        }
        let outcomes = await Self.send(batch, over: client)
        if outcomes.hasRefusedCredential, clients[destination] === client {
            // The next attempt reads the vault again, because the credential may have been replaced meanwhile.
            clients[destination] = nil
            expirations[destination] = nil
            close(client)
        }
        return outcomes
    }

    package func connections() -> [SenderConnections] {
        clients.map { destination, client in
            let status = client.status
            return SenderConnections(
                app: destination.app,
                environment: destination.environment,
                open: status.connections,
                waiting: status.waiting,
                isCredentialRefused: status.isCredentialPaused,
                lastTrouble: status.lastTrouble.isEmpty ? nil : status.lastTrouble
            )
        }
    }

    /// Sends a batch outside the actor, so that other batches can start meanwhile.
    private nonisolated static func send(_ batch: SendBatch, over client: APNSClient) async -> SendOutcomes {
        let results = BatchResults(of: batch)
        await client.send(APNSBatch(batch), pausing: false) { results.add($0) }
        return results.outcomes
    }

    private func client(for destination: Destination) async throws -> APNSClient? {
        if let end = expirations[destination], end <= clock.date {
            // The credential may have been replaced meanwhile.
            expirations[destination] = nil
            if let client = clients.removeValue(forKey: destination) { close(client) }
        }
        if let client = clients[destination] { return client }
        let before = changes
        let read: Result<APNSCredential?, any Error>
        do { read = .success(try await readCredential(of: destination)) } catch { read = .failure(error) }
        // The credential was replaced during the read, so it, or the error, may be the earlier one's.
        guard changes == before else { return try await client(for: destination) }
        guard let credential = try read.get() else { return nil }
        // While the vault was read, another push may have created the client.
        if let client = clients[destination] { return client }
        if case .certificate(let certificate) = credential { expirations[destination] = certificate.notValidAfter }
        let client = APNSClient(
            credential: credential,
            endpoint: route.endpoint(destination.environment),
            // Pushes that are already sent have a longer timeout: see `APNSClientConfiguration.answerTimeout`.
            configuration: APNSClientConfiguration(deadline: .seconds(10)),
            clock: clock,
            logger: logger
        )
        clients[destination] = client
        return client
    }

    /// Closes a client when its pending pushes are answered.
    private func close(_ client: APNSClient) {
        let number = lastClosing + 1
        lastClosing = number
        // Unstructured: finished outcomes must not wait for pending ones. ``shutdown()`` waits for this task.
        closing[number] = Task {
            await client.shutdown()
            closing[number] = nil
        }
    }

    /// Closes the clients of an app when their pending pushes are answered; later pushes use the credential valid at that time.
    func forgetClients(of app: App.ID) {
        changes += 1
        expirations = expirations.filter { $0.key.app != app }
        for destination in clients.keys where destination.app == app {
            if let client = clients.removeValue(forKey: destination) { close(client) }
        }
    }

    nonisolated func endpoint(_ environment: APNSEnvironment) -> APNSEndpoint { route.endpoint(environment) }

    /// Reads the credential of a destination. A p8 key is preferred to certificates, because it does not expire.
    func readCredential(of destination: Destination) async throws -> APNSCredential? {
        if let key = try await vault.credential(of: destination.app) {
            return .key(try APNSSigningKey(p8: key.privateKey, keyID: key.keyID, teamID: key.teamID))
        }
        guard let certificate = try await vault.certificate(of: destination.app, destination.environment) else {
            return nil
        }
        guard certificate.notAfter > clock.date else { throw ExpiredCertificate(end: certificate.notAfter) }
        return .certificate(try CertificateReader.certificate(certificate))
    }

    /// Waits for pending pushes and closes all connections.
    package func shutdown() async {
        for client in clients.values { await client.shutdown() }
        clients = [:]
        for task in closing.values { await task.value }
    }
}

private struct ExpiredCertificate: Error, CustomStringConvertible {
    var end: Date
    var description: String { "The certificate expired on \(end.formatted(.iso8601))." }
}

/// Collects the results of a batch as they arrive.
private final class BatchResults: Sendable {
    private let state = Mutex(SendOutcomes())
    private let batch: SendBatch

    init(of batch: SendBatch) { self.batch = batch }

    var outcomes: SendOutcomes { state.withLock { $0 } }

    func add(_ results: [APNSResult]) {
        state.withLock { outcomes in
            for result in results {
                if result.outcome == .accepted, result.retries.isEmpty {
                    outcomes.addSent(result.index)
                } else {
                    let headers = batch.headers[batch.pushes[result.index].headers]
                    outcomes.add(SendOutcome(result, headers.pushType), of: result.index)
                }
            }
        }
    }
}

extension APNSBatch {
    /// The number of pushes from which their common headers are worth an entry in the connection's header table.
    private static let many = 100

    fileprivate init(_ batch: SendBatch) {
        var common = batch.headers.first ?? APNSHeaders(topic: nil)
        let isShared = batch.headers.count == 1 && batch.count >= Self.many
        if !isShared { (common.expiration, common.collapseID) = (nil, nil) }
        self.init(common)
        reserve(batch.count, payloadBytes: batch.bytes.count / max(batch.count, 1))
        let numbers = isShared ? [0] : batch.headers.map { use($0) }
        let start = append(payload: batch.bytes).lowerBound
        for push in batch.pushes {
            let payload = start + push.payload.lowerBound..<start + push.payload.upperBound
            push.token.withBytes { token in
                add(token: token, id: push.id, payload: payload, headers: numbers[push.headers])
            }
        }
    }
}

extension SendOutcome {
    /// Creates the service's outcome from the provider client's. A failed push is undecided for the service, which retries
    /// it.
    ///
    /// `pushType` is the type of the push.
    fileprivate init(_ result: APNSResult, _ pushType: APNSPushType) {
        switch result.outcome {
        case .accepted: self.init(.sent, retries: result.retries)
        case .refused(_, let reason, _) where reason.concernsCredential(ofPushes: pushType):
            self.init(.paused(.credentialRefused, detail: reason.rawValue), retries: result.retries)
        case .refused(_, let reason, let timestamp):
            let unregisteredAt = timestamp.flatMap { Int64(exactly: ($0.timeIntervalSince1970 * 1000).rounded()) }
            self.init(.refused(reason, unregisteredAt: unregisteredAt), retries: result.retries)
        case .failed(let description):
            self.init(
                .undecided(description, after: result.pause),
                retries: result.reset.map { [$0.rawValue] } ?? result.retries
            )
        }
    }
}

extension SendOutcomes {
    fileprivate var hasRefusedCredential: Bool {
        others.values.contains { if case .paused = $0.ending { true } else { false } }
    }
}

extension APNSReason {
    /// Whether every other push of the app would be refused for the same reason.
    ///
    /// A certificate may allow the app's own topic and not those of calls and Live Activities, whose topics have a suffix.
    fileprivate func concernsCredential(ofPushes type: APNSPushType) -> Bool {
        if self == .topicDisallowed { return ![.voip, .liveactivity].contains(type) }
        return advice.action == .pauseCredential
    }
}
