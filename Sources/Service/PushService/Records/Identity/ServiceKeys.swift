package import Crypto

/// The keys of one service, all derived from a 32-byte secret that never leaves its machine.
///
/// Without the secret, no registration id or apns-id handed out so far can be resolved.
package struct ServiceKeys: Sendable {
    let apnsIDs: SymmetricKey
    let registrationIDs: SymmetricKey
    let credentials: SymmetricKey
    let aliasKeys: SymmetricKey

    package init(secret: SymmetricKey) {
        func key(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, info: Array(purpose.utf8), outputByteCount: 32)
        }
        apnsIDs = key("apns-id")
        registrationIDs = key("registration-id")
        credentials = key("credential")
        aliasKeys = key("alias-key")
    }
}

/// The mark of a service's secret. The store keeps it to tell this secret from others; the secret cannot be derived from it.
package enum SecretMark {
    /// The key of the value in the store.
    package static let key = "secret.mark"

    /// Returns the mark of a secret: 16 bytes.
    package static func mark(of secret: SymmetricKey) -> [UInt8] {
        let mark = HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, info: Array("store".utf8), outputByteCount: 16)
        return unsafe mark.withUnsafeBytes { unsafe Array($0) }
    }

    /// Returns the mark of a secret of 32 bytes.
    package static func mark(of secret: [UInt8]) -> [UInt8] { mark(of: SymmetricKey(data: secret)) }
}
