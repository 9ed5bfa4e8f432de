import Foundation

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The body of a push that only the phone can read: nonce, ciphertext and tag of AES-GCM in base64.
///
/// The sender seals the text with the key that the app has too; the push service and APNs carry what they cannot read. The
/// push needs an `alert` and `mutable-content`, or no extension runs.
public struct SealedBody: Sendable {
    /// In the payload.
    public static let key = "sealed"

    /// Why a text cannot be had.
    public enum Problem: Error, Hashable {
        /// The app's settings have none of 16, 24 or 32 bytes.
        case noKey
        /// It is no base64 of a nonce, a ciphertext and a tag.
        case malformed
        /// It was sealed with another key, or changed on the way.
        case wrongKey
        /// It is no UTF-8.
        case noText
    }

    /// As it stands in the payload.
    public let text: String

    public init(_ text: String) { self.text = text }

    /// Seals a text, as the sender does.
    ///
    /// - Parameters:
    ///   - body: what the phone is to show.
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
