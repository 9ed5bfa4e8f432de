import Crypto
import CryptoExtras
import Foundation
import PushModel
import SwiftASN1
package import X509

/// The private key of a push certificate.
package struct CertificateKey: Sendable {
    /// The key in PKCS#8.
    let pkcs8: [UInt8]
    package let publicKey: Certificate.PublicKey
    /// The key as PKCS#8 in PEM.
    package let pem: String

    /// Generates a key as Keychain Access does: RSA with 2048 bits.
    package init() throws {
        try self.init(_RSA.Signing.PrivateKey(keySize: .bits2048))
    }

    /// - Parameter text: PEM with `BEGIN PRIVATE KEY`, `BEGIN RSA PRIVATE KEY` or `BEGIN EC PRIVATE KEY`, not encrypted.
    /// - Throws: if it is none of them, or the key is too weak.
    package init(pem text: String) throws(DeveloperProblem) {
        let blocks = try? PEMBlock.blocks(in: Array(text.utf8))
        let key = blocks?.first(where: \.isPrivateKey)
        guard !(key?.isEncrypted ?? text.contains("ENCRYPTED")) else {
            throw DeveloperProblem(
                "The private key is encrypted; expected one that is not. 'openssl pkey -in FILE -out FILE' decrypts it."
            )
        }
        let pem = key?.text ?? text
        if let rsa = try? _RSA.Signing.PrivateKey(pemRepresentation: pem) {
            self.init(rsa)
        } else if let p256 = try? P256.Signing.PrivateKey(rawRepresentation: try SigningKeyText(pem).scalar) {
            self.init(p256)
        } else {
            throw DeveloperProblem(
                "The text contains no usable private key; expected PEM with '-----BEGIN PRIVATE KEY-----', RSA of "
                    + "2048 bits or more, or P-256."
            )
        }
    }

    private init(_ key: P256.Signing.PrivateKey) {
        pkcs8 = Array(key.derRepresentation)
        publicKey = Certificate.PublicKey(key.publicKey)
        pem = key.pemRepresentation + "\n"
    }

    private init(_ key: _RSA.Signing.PrivateKey) {
        pkcs8 = Array(key.pkcs8DERRepresentation)
        publicKey = Certificate.PublicKey(key.publicKey)
        pem = key.pkcs8PEMRepresentation + "\n"
    }

    /// - Throws: if a push certificate cannot be issued for this key.
    static func check(_ key: Certificate.PublicKey) throws(DeveloperProblem) {
        if P256.Signing.PublicKey(key) != nil { return }
        guard let rsa = _RSA.Signing.PublicKey(key) else {
            throw DeveloperProblem("The key is neither RSA nor P-256; expected RSA of 2048 bits, as Apple's site does.")
        }
        guard rsa.keySizeInBits >= 2048 else {
            throw DeveloperProblem("The RSA key has \(rsa.keySizeInBits) bits; expected 2048 or more.")
        }
    }
}

/// A certificate signing request (RFC 2986): a public key, and proof that the requester has the private key.
///
/// The names in it are ignored, as at Apple's site: the certificate's contents come from the App ID.
package struct CertificateRequest: Sendable {
    package let publicKey: Certificate.PublicKey

    /// - Parameter file: PEM or DER, as Keychain Access and `openssl req -new` write them.
    /// - Throws: if it is not a signing request, is not signed by its own key, or the key is too weak or of a kind that TLS
    ///   clients do not use.
    package init(_ file: [UInt8]) throws(DeveloperProblem) {
        let request: CertificateSigningRequest
        do { request = try Self.parse(file) } catch {
            throw DeveloperProblem(
                "The file is not a certificate signing request: \(Self.found(file)). Expected PEM with "
                    + "'-----BEGIN CERTIFICATE REQUEST-----' or DER, as Keychain Access or 'openssl req -new' write it."
            )
        }
        guard request.publicKey.isValidSignature(request.signature, for: request) else {
            throw DeveloperProblem(
                "The certificate signing request is not signed by its own key; was it modified? "
                    + "Make a new one."
            )
        }
        try CertificateKey.check(request.publicKey)
        publicKey = request.publicKey
    }

    private static func parse(_ file: [UInt8]) throws -> CertificateSigningRequest {
        let text = String(decoding: file.normalizedPEM, as: UTF8.self)
        guard text.contains("-----BEGIN ") else { return try CertificateSigningRequest(derEncoded: file) }
        // The label that old programs write.
        let pem = text.replacingOccurrences(of: " NEW CERTIFICATE REQUEST-----", with: " CERTIFICATE REQUEST-----")
        return try CertificateSigningRequest(pemEncoded: pem)
    }

    private static func found(_ file: [UInt8]) -> String {
        guard !file.isEmpty else { return "it is empty" }
        let text = String(decoding: file, as: UTF8.self)
        if let kind = text.firstMatch(of: /-----BEGIN ([A-Z0-9 ]+)-----/) { return "it holds a \(kind.1.lowercased())" }
        return "it has \(file.count) bytes of something else"
    }
}
