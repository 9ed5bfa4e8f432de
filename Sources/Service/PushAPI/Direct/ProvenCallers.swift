import PushModel
import PushService
import Synchronization

/// Credentials that were found right, as they were written: decoding and hashing them again for each push would cost more than
/// the push.
///
/// They hold as long as the app has the secret with which they were found right.
final class ProvenCallers: Sendable {
    private struct Proof {
        var app: AppKey
        var secret: SecretHash
    }

    /// Spellings that are remembered; beyond it all are forgotten, and proved again.
    private static let limit = 10_000

    private let registry: Registry
    private let proofs = Mutex<[String: Proof]>([:])

    init(registry: Registry) { self.registry = registry }

    /// The app whose credentials these are, if they have been proved and are still right.
    func app(of authorization: String) -> App? {
        guard let proof = proofs.withLock({ $0[authorization] }), let app = registry.knownApp(proof.app),
            app.secretHash == proof.secret
        else { return nil }
        return app
    }

    func remember(_ authorization: String, of app: App) {
        proofs.withLock { proofs in
            if proofs.count >= Self.limit { proofs = [:] }
            proofs[authorization] = Proof(app: app.key, secret: app.secretHash)
        }
    }
}
