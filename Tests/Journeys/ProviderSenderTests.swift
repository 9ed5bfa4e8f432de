import APNSGateway
import AppleDeveloper
import Foundation
import Logging
import PosthornStack
import PushClock
import PushModel
import Synchronization
import TestSupport
import Testing

@testable import PushService

/// A service's credentials, of which the first certificate that is read arrives only when the test lets it.
private final class HeldCertificates: CredentialStore {
    let store: any CredentialStore
    /// The expiration date to give the first certificate; nil for its own.
    let firstEnds: Date?
    /// The first certificate has been read.
    let isRead = Announcement<Void>()
    /// It may arrive.
    let mayArrive = Announcement<Void>()
    private let reads = Mutex(0)

    init(_ store: any CredentialStore, firstEnds: Date?) {
        self.store = store
        self.firstEnds = firstEnds
    }

    func credentials(of app: App.ID) async throws -> [SealedCredential] {
        var credentials = try await store.credentials(of: app)
        let isFirst = reads.withLock { reads in
            reads += 1
            return reads == 1
        }
        guard isFirst else { return credentials }
        if let firstEnds, case .certificate(var certificate) = credentials[0].content {
            certificate.notAfter = firstEnds
            credentials[0].content = .certificate(certificate)
        }
        isRead.make(.success(()))
        try await mayArrive.value
        return credentials
    }

    func credentials() async throws -> [SealedCredential] { try await store.credentials() }
    func change(_ change: CredentialChange, of app: App.ID) async throws -> CredentialChangeResult {
        try await store.change(change, of: app)
    }
    func record(_ answers: [KnownAnswers.Answer], of credential: SealedCredential.ID, app: App.ID) async throws {
        try await store.record(answers, of: credential, app: app)
    }
    func warned(of certificate: SealedCredential.ID, days: Int) async throws {
        try await store.warned(of: certificate, days: days)
    }
    func pauses(of app: App.ID) async throws -> [Destination: Pause] { try await store.pauses(of: app) }
}

/// The sender reads a credential while an operator replaces it.
@Suite("A credential that is replaced while it is read", .suiteLimit)
struct ProviderSenderTests {
    /// A certificate and its key in PEM.
    private static func pem(_ authority: GatewayAuthority) throws -> [UInt8] {
        let order = GatewayAuthority.PushOrder(
            appID: try AppID(bundleID: Stack.bundleID, hasPush: true),
            teamID: GatewayNode.teamID,
            environments: [.development, .production]
        )
        let key = try CertificateKey()
        return Array((try authority.issue(order, to: key.publicKey, at: Date()).pem() + key.pem).utf8)
    }

    private static func add(_ authority: GatewayAuthority, to app: String, _ client: OperatorClient) async throws {
        let file = Data(try pem(authority)).base64EncodedString()
        _ = try await client.perform(.credentialAdd, ["app": .string(app), "certificate": .string(file)])
    }

    /// Creates an app with a certificate.
    private static func app(
        certifiedBy authority: GatewayAuthority,
        in stack: Stack,
        _ client: OperatorClient
    ) async throws -> App {
        let made = try await client.perform(.appCreate, ["name": "A", "bundle_id": .string(Stack.bundleID)])
        let key = try #require(made["app_key"]?.string)
        try await add(authority, to: key, client)
        return try #require(try await stack.service.core.store.apps().first { $0.key.text == key })
    }

    /// A batch of one push.
    private static func batch(to token: DeviceToken) -> SendBatch {
        var batch = SendBatch()
        let headers = batch.use(
            APNSHeaders(topic: Stack.bundleID, priority: .immediately, expiration: .oneAttempt)
        )
        batch.add(APNSID(high: 1, low: 2), token, headers: headers) { $0 += Array(#"{"aps":{"alert":"Hi"}}"#.utf8) }
        return batch
    }

    /// The first certificate is of an authority that the gateway does not know, so only the second can have its answer.
    @Test("Neither it nor its error is used: the push goes out with the new one", arguments: [false, true])
    func replacedWhileRead(isExpired: Bool) async throws {
        try await withStack(clock: SystemClock(), preparesPhones: false) { stack in
            let client = try await OperatorClient(data: stack.settings.folder, creates: false)
            let app = try await Self.app(certifiedBy: try GatewayAuthority(folder: nil), in: stack, client)
            let key = app.key.text
            let store = stack.service.core.store
            let held = HeldCertificates(store, firstEnds: isExpired ? Date() - 60 : nil)
            let secret = try DataFolder.secret(at: stack.settings.folder + "/secret.key")
            let sender = ProviderSender(
                vault: CredentialVault(store: held, keys: ServiceKeys(secret: secret)),
                route: stack.gateway.route,
                clock: SystemClock(),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            let token = stack.gateway.server.gateway.issueToken(topic: Stack.bundleID, environment: .production)
            async let outcomes = sender.send(Self.batch(to: token), for: app, environment: .production)
            try await held.isRead.value
            try await Self.add(stack.gateway.authority, to: key, client)
            await sender.credentialsChanged(of: app.id)
            held.mayArrive.make(.success(()))
            let (sent, others) = await (outcomes.sentAtOnce, outcomes.others)
            #expect(sent.contains(0), "\(others)")
            await sender.shutdown()
        }
    }

    @Test("A store that does not answer says nothing about the credential: the push is tried again")
    func unreadable() async throws {
        try await withStack(clock: SystemClock(), preparesPhones: false) { stack in
            let client = try await OperatorClient(data: stack.settings.folder, creates: false)
            let app = try await Self.app(certifiedBy: stack.gateway.authority, in: stack, client)
            let held = HeldCertificates(stack.service.core.store, firstEnds: nil)
            held.mayArrive.make(.failure(StoreError.unavailable("gone")))
            let secret = try DataFolder.secret(at: stack.settings.folder + "/secret.key")
            let sender = ProviderSender(
                vault: CredentialVault(store: held, keys: ServiceKeys(secret: secret)),
                route: stack.gateway.route,
                clock: SystemClock(),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            let token = stack.gateway.server.gateway.issueToken(topic: Stack.bundleID, environment: .production)
            let outcomes = await sender.send(Self.batch(to: token), for: app, environment: .production)
            let reason = "The app's credential could not be read: \(StoreError.unavailable("gone"))"
            #expect(outcomes.others[0]?.ending == .undecided(reason, after: nil))
            await sender.shutdown()
        }
    }
}
