import Foundation

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The body of a push that only the phone can read: nonce, ciphertext and tag of AES-GCM in base64.
///
/// The sender encrypts the text with a key shared with the app; the push service and APNs cannot read it. The push
/// needs an `alert` and `mutable-content`, otherwise no extension runs.
public struct SealedBody: Sendable {
    /// The key in the payload.
    public static let key = "sealed"

    /// The reason a text cannot be decrypted.
    public enum Problem: Error, Hashable {
        /// The settings have no key of 16, 24 or 32 bytes.
        case noKey
        /// It is not the base64 form of a nonce, a ciphertext and a tag.
        case malformed
        /// It was sealed with another key, or modified in transit.
        case wrongKey
        /// It is not UTF-8.
        case noText
    }

    /// The text in the payload.
    public let text: String

    public init(_ text: String) { self.text = text }

    /// Seals a text, as the sender does.
    ///
    /// - Parameters:
    ///   - body: the text for the phone to show.
    ///   - key: 16, 24 or 32 bytes.
    /// - Throws: ``Problem/noKey`` for a key of another length.
    public init(sealing body: String, with key: Data) throws {
        let box = try AES.GCM.seal(Data(body.utf8), using: Self.symmetricKey(key))
        guard let combined = box.combined else { throw Problem.malformed }
        text = combined.base64EncodedString()
    }

    /// - Throws: ``Problem``.
    public func open(with key: Data?) throws(Problem) -> String {
        let key = try Self.symmetricKey(key)
        guard let data = Data(base64Encoded: text), let box = try? AES.GCM.SealedBox(combined: data) else {
            throw .malformed
        }
        guard let opened = try? AES.GCM.open(box, using: key) else { throw .wrongKey }
        guard let body = String(data: opened, encoding: .utf8) else { throw .noText }
        return body
    }

    private static func symmetricKey(_ key: Data?) throws(Problem) -> SymmetricKey {
        guard let key, [16, 24, 32].contains(key.count) else { throw .noKey }
        return SymmetricKey(data: key)
    }
}
