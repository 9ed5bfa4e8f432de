import CryptoExtras
import Foundation
import PushModel
import SwiftASN1
package import X509

/// A certificate signing request (RFC 2986): a public key, and proof that the requester has the private key.
///
/// The names in it are ignored, as at Apple's site: the certificate's contents come from the App ID.
package struct CertificateRequest: PublicKeyHolder {
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
