import Crypto

/// The SHA-256 hash of a secret, stored to authenticate clients. The secrets are random, so no slower hash is needed.
package struct SecretHash: Hashable, Sendable {
    package var bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }
    package init(of secret: String) { bytes = Array(SHA256.hash(data: Array(secret.utf8))) }

    /// Returns whether this is the hash of `secret`, in constant time.
    package func matches(_ secret: String) -> Bool { matches(SecretHash(of: secret)) }

    /// Returns whether this is another hash, in constant time.
    package func matches(_ other: SecretHash) -> Bool { bytes.isSameInConstantTime(as: other.bytes) }
}
