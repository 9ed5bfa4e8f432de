package import Crypto

/// The keys of one service, all drawn from one secret of 32 bytes that never leaves its machine.
///
/// Whoever loses the secret loses the meaning of every registration id and apns-id handed out so far.
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
