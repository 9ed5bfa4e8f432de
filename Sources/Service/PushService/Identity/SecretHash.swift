import Crypto

/// What is kept of a secret that others prove to know: its SHA-256. The secrets are random, so nothing slower is needed.
package struct SecretHash: Hashable, Sendable {
    package var bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }
    package init(of secret: String) { bytes = Array(SHA256.hash(data: Array(secret.utf8))) }

    /// In constant time.
    package func matches(_ secret: String) -> Bool {
        let other = SecretHash(of: secret)
        return zip(bytes, other.bytes).reduce(UInt8(bytes.count == other.bytes.count ? 0 : 1)) { $0 | ($1.0 ^ $1.1) }
            == 0
    }
}
