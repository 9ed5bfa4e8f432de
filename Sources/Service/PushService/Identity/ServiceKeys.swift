package import Crypto

/// The keys of one service, all derived from a 32-byte secret that never leaves its machine.
///
/// Without the secret, no registration id or apns-id handed out so far can be resolved.
package struct ServiceKeys: Sendable {
    let apnsIDs: SymmetricKey
    let registrationIDs: SymmetricKey
    let credentials: SymmetricKey

    package init(secret: SymmetricKey) {
        func key(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, info: Array(purpose.utf8), outputByteCount: 32)
        }
        apnsIDs = key("apns-id")
        registrationIDs = key("registration-id")
        credentials = key("credential")
    }
}
