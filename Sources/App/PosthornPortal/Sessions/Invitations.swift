import PushModel
import PushService
import Synchronization

/// The one-time link with which the first user of a portal makes an account.
///
/// It is valid for this run of the service, while the store has never had a user. Each node has one, of which one can be used.
final class Invitations: Sendable {
    private let hash = Mutex<SecretHash?>(nil)

    /// Makes a link's secret; an earlier one is no longer valid.
    func make() -> String {
        var random = SystemRandomNumberGenerator()
        let secret = random.hexadecimalDigits(40)
        hash.withLock { $0 = SecretHash(of: secret) }
        return secret
    }

    func admits(_ secret: String) -> Bool { hash.withLock { $0?.matches(secret) ?? false } }

    /// Ends the validity of the link.
    func end() { hash.withLock { $0 = nil } }
}
