import Crypto
import Foundation

/// Seals what must not lie readable in the database: AES-GCM under a key of the service.
package struct CredentialSeal: Sendable {
    private let key: SymmetricKey

    package init(_ keys: ServiceKeys) { key = keys.credentials }

    package func seal(_ secret: [UInt8]) throws -> [UInt8] {
        guard let combined = try AES.GCM.seal(secret, using: key).combined else {
            preconditionFailure("A 12-byte nonce always gives the combined form.")
        }
        return Array(combined)
    }

    /// - Throws: when `sealed` was changed, or sealed under another key.
    package func open(_ sealed: [UInt8]) throws -> [UInt8] {
        Array(try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key))
    }
}
