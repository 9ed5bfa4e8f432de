package import Crypto

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
