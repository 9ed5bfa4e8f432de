package import APNSProvider
import Foundation
package import Logging
package import PushClock
package import PushModel
package import PushService
import Synchronization

/// The service's sender, which uses one provider client per credential and environment.
///
/// So no connection ever sees two teams, or two keys that APNs may take for unrelated.
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

    nonisolated let vault: CredentialVault
    private let route: Endpoints
    let clock: any CivilClock
    let logger: Logger
    /// The apps' credentials as read last.
    private var sets: [App.ID: [SealedCredential]] = [:]
    private var clients: [ClientKey: APNSClient] = [:]
    /// The keys in use, of which all clients and trials share one provider token: APNs limits new ones by key.
    private var signingKeys: [Credential: APNSSigningKey] = [:]
    private static let mostSigningKeys = 10_000
    /// The clients that are no longer used, until they are closed.
    private var closing: [Int: Task<Void, Never>] = [:]
    private var lastClosing = 0
    /// The number of changes of credentials, by which a read that began before one is recognised.
    private var changes = 0

    private struct ClientKey: Hashable {
        var app: App.ID
        var credential: SealedCredential.ID
        var environment: APNSEnvironment
    }

    package init(vault: CredentialVault, route: Endpoints, clock: any CivilClock, logger: Logger) {
        self.vault = vault
        self.route = route
        self.clock = clock
        self.logger = logger
    }

    package func send(_ batch: SendBatch, for app: App, environment: APNSEnvironment) async -> SendOutcomes {
        if let topic = batch.topic { return await send(batch, to: topic, for: app, environment, besides: []) }
        // A lane has one topic, but a push that a version without topics has stored waits in the lane for notifications.
        var outcomes = SendOutcomes()
        let byTopic = Dictionary(grouping: batch.pushes.indices) { batch.headers[batch.pushes[$0].headers].topic ?? "" }
        for (topic, places) in byTopic.sorted(by: { $0.key < $1.key }) {
            let part = await send(batch.part(places), to: topic, for: app, environment, besides: [])
            outcomes.replace(places, by: part)
        }
        return outcomes
    }

    /// Sends pushes to one topic with the credential for it. If APNs says that the credential is not made for the topic or the
    /// environment, the next one sends what was refused; `tried` has those that were in turn before.
    private func send(
        _ batch: SendBatch,
        to topic: String,
        for app: App,
        _ environment: APNSEnvironment,
        besides tried: Set<SealedCredential.ID>
    ) async -> SendOutcomes {
        let credential: SealedCredential
        let client: APNSClient
        do {
            guard let found = try await choice(for: topic, of: app.id, in: environment) else {
                let detail = "The app has no APNs credential for '\(topic)' in \(environment)."
                return SendOutcomes(all: batch.count, SendOutcome(.paused(.noCredential, detail: detail)))
            }
            credential = found
            client = try self.client(for: found, environment)
        } catch let error as ExpiredCertificate {
            return SendOutcomes(all: batch.count, SendOutcome(.paused(.certificateExpired, detail: "\(error)")))
        } catch let error as StoreError {
            // It says nothing about the credential.
            let ending = SendOutcome.Ending.undecided("The app's credential could not be read: \(error)", after: nil)
            return SendOutcomes(all: batch.count, SendOutcome(ending))
        } catch {
            return SendOutcomes(all: batch.count, SendOutcome(.paused(.credentialRefused, detail: "\(error)")))
        }
        var outcomes = await Self.send(batch, over: client)
        let refused = outcomes.refusedPlaces
        await note(outcomes, of: credential, to: topic, in: environment)
        guard !refused.isEmpty else { return outcomes }
        let key = ClientKey(app: credential.app, credential: credential.id, environment: environment)
        if clients[key] === client {
            // The next attempt begins anew, because the credential may have been replaced meanwhile.
            forget(key)
        }
        let tried = tried.union([credential.id])
        if let next = try? await choice(for: topic, of: app.id, in: environment), !tried.contains(next.id),
            outcomes.scopeRefusal != nil
        {
            let again = await send(batch.part(refused), to: topic, for: app, environment, besides: tried)
            outcomes.replace(refused, by: again)
        }
        return outcomes
    }

    /// Records what APNs has answered to a credential, once for each topic and environment, and its refusals of either.
    private func note(
        _ outcomes: SendOutcomes,
        of credential: SealedCredential,
        to topic: String,
        in environment: APNSEnvironment
    ) async {
        let reason = outcomes.scopeRefusal
        guard reason != nil || outcomes.isCredentialAccepted else { return }
        var known = credential.answers
        if reason == nil, known.isAccepted(for: topic, in: environment) { return }
        if let reason, known.refusal(for: topic, in: environment)?.reason == reason { return }
        let answer = KnownAnswers.Answer(environment: environment, topic: topic, reason: reason, at: clock.date)
        known.record(answer)
        if let place = sets[credential.app]?.firstIndex(where: { $0.id == credential.id }) {
            sets[credential.app]?[place].answers = known
        }
        do { try await vault.store.record([answer], of: credential.id, app: credential.app) } catch {
            // Nothing depends on it: a later answer, or the one of another node, says the same.
            logger.debug("An answer of APNs about a credential was not stored", metadata: ["error": "\(error)"])
        }
    }

    package func connections() -> [SenderConnections] {
        clients.sorted { ($0.key.app, $0.key.credential) < ($1.key.app, $1.key.credential) }.map { key, client in
            let status = client.status
            return SenderConnections(
                app: key.app,
                environment: key.environment,
                credential: key.credential,
                open: status.connections,
                waiting: status.waiting,
                isCredentialRefused: status.isCredentialPaused,
                lastTrouble: status.lastTrouble.isEmpty ? nil : status.lastTrouble
            )
        }
    }

    /// Sends a batch outside the actor, so that other batches can start meanwhile.
    private nonisolated static func send(_ batch: SendBatch, over client: APNSClient) async -> SendOutcomes {
        let results = BatchResults()
        await client.send(APNSBatch(batch), pausing: false) { results.add($0) }
        return results.outcomes
    }

    /// Returns the credential that sends pushes to a topic of an app; nil if it has none.
    func choice(
        for topic: String,
        of app: App.ID,
        in environment: APNSEnvironment
    ) async throws -> SealedCredential? {
        SealedCredential.choice(among: try await credentials(of: app), for: topic, in: environment, at: clock.date)
    }

    private func credentials(of app: App.ID) async throws -> [SealedCredential] {
        if let set = sets[app] { return set }
        let before = changes
        let read: Result<[SealedCredential], any Error>
        do { read = .success(try await vault.store.credentials(of: app)) } catch { read = .failure(error) }
        // The set was changed during the read, so it, or the error, may be the earlier one's.
        guard changes == before else { return try await credentials(of: app) }
        let set = try read.get()
        // An app without one looks again, so that one that was just added is not missed.
        if !set.isEmpty { sets[app] = set }
        return set
    }

    private func client(for credential: SealedCredential, _ environment: APNSEnvironment) throws -> APNSClient {
        let key = ClientKey(app: credential.app, credential: credential.id, environment: environment)
        if let end = credential.certificate?.notAfter, end <= clock.date {
            forget(key)
            sets[credential.app] = nil
            throw ExpiredCertificate(end: end)
        }
        if let client = clients[key] { return client }
        let client = APNSClient(
            credential: try open(credential),
            endpoint: route.endpoint(environment),
            // Pushes that are already sent have a longer timeout: see `APNSClientConfiguration.answerTimeout`.
            configuration: APNSClientConfiguration(deadline: .seconds(10)),
            clock: clock,
            logger: logger
        )
        clients[key] = client
        return client
    }

    /// Opens a credential for the provider client.
    func open(_ credential: SealedCredential) throws -> APNSCredential {
        switch try vault.open(credential) {
        case .key(let key):
            if let known = signingKeys[key] { return .key(known) }
            let made = try APNSSigningKey(p8: key.privateKey, keyID: key.keyID, teamID: key.teamID)
            if signingKeys.count >= Self.mostSigningKeys { signingKeys = [:] }
            signingKeys[key] = made
            return .key(made)
        case .certificate(let certificate):
            guard certificate.notAfter > clock.date else { throw ExpiredCertificate(end: certificate.notAfter) }
            return .certificate(try CertificateReader.certificate(certificate))
        }
    }

    /// Closes the client of a credential, if there is one, when its pending pushes are answered.
    private func forget(_ key: ClientKey) {
        if let client = clients.removeValue(forKey: key) { close(client) }
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

    /// Closes the clients of an app when their pending pushes are answered; later pushes use the credentials valid at that time.
    func forgetClients(of app: App.ID) {
        changes += 1
        sets[app] = nil
        for key in clients.keys where key.app == app { forget(key) }
    }

    nonisolated func endpoint(_ environment: APNSEnvironment) -> APNSEndpoint { route.endpoint(environment) }

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

    var outcomes: SendOutcomes { state.withLock { $0 } }

    func add(_ results: [APNSResult]) {
        state.withLock { outcomes in
            for result in results {
                if result.outcome == .accepted, result.retries.isEmpty {
                    outcomes.addSent(result.index)
                } else {
                    outcomes.add(SendOutcome(result), of: result.index)
                }
            }
        }
    }
}

extension APNSBatch {
    /// The number of pushes from which their common headers are worth an entry in the connection's header table.
    private static let many = 100

    fileprivate init(_ batch: SendBatch) {
        let common = batch.headers.first ?? APNSHeaders(topic: nil)
        let isShared = batch.headers.count == 1 && batch.count >= Self.many
        self.init(isShared ? common : common.shared)
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
    fileprivate init(_ result: APNSResult) {
        switch result.outcome {
        case .accepted: self.init(.sent, retries: result.retries)
        case .refused(_, let reason, _) where reason.concernsCredential:
            let pause: PauseReason = reason.concernsScope ? .credentialScope : .credentialRefused
            self.init(.paused(pause, detail: reason.rawValue), retries: result.retries)
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
    /// The reason by which APNs says that the credential is not made for the environment or the topic; nil if it does not.
    fileprivate var scopeRefusal: APNSReason? {
        for outcome in others.values {
            guard case .paused(.credentialScope, let detail) = outcome.ending else { continue }
            return APNSReason(rawValue: detail)
        }
        return nil
    }

    /// Whether APNs has accepted the credential: a push, or all of it but its device token.
    fileprivate var isCredentialAccepted: Bool {
        if !sentAtOnce.isEmpty { return true }
        return others.values.contains { outcome in
            switch outcome.ending {
            case .sent: true
            case .refused(let reason, _): CredentialTest.aboutToken.contains(reason)
            case .paused, .undecided: false
            }
        }
    }
}

extension APNSReason {
    /// Whether every other push of the app to the topic would be refused for the same reason.
    fileprivate var concernsCredential: Bool { concernsScope || advice.action == .pauseCredential }
}
