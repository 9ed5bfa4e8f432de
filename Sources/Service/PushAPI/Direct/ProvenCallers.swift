import PushClock
import PushModel
import PushService
import Synchronization

/// A cache of verified `Authorization` headers: decoding and hashing them for each push would cost more than the push.
///
/// An entry is valid as long as the secret that was verified is one of the app.
final class ProvenCallers: Sendable {
    private struct Proof {
        var app: AppKey
        var secret: SecretHash
    }

    /// The maximum number of entries; beyond it all are dropped and verified again.
    private static let limit = 10_000

    private let registry: Registry
    private let clock: any CivilClock
    private let proofs = Mutex<[String: Proof]>([:])

    init(registry: Registry, clock: any CivilClock) {
        self.registry = registry
        self.clock = clock
    }

    /// Returns the app of the credentials, if they were verified and are still valid.
    func app(of authorization: String) -> App? {
        guard let proof = proofs.withLock({ $0[authorization] }), let app = registry.knownApp(proof.app),
            app.accepts(proof.secret, at: clock.date)
        else { return nil }
        return app
    }

    func remember(_ authorization: String, of app: App, _ secret: SecretHash) {
        proofs.withLock { proofs in
            if proofs.count >= Self.limit { proofs = [:] }
            proofs[authorization] = Proof(app: app.key, secret: secret)
        }
    }
}
