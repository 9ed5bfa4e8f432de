import AppleDeveloper
import PushModel
import SwiftASN1
import X509

/// The authorities whose client certificates the gateway accepts.
package struct ProviderAuthorities: Sendable {
    /// The reason why a text contains no authorities: what was found, and what was expected.
    package struct Problem: Error, Hashable, CustomStringConvertible {
        package var description: String
    }

    let certificates: [Certificate]
    private let isRevoked: @Sendable ([UInt8]) -> Bool

    /// - Parameters:
    ///   - authority: the gateway's own, if it has one.
    ///   - pem: the certificates of other authorities as PEM text.
    ///   - isRevoked: whether the certificate with this serial number is revoked.
    /// - Throws: ``Problem`` if the text contains anything else, or no certificate at all.
    init(_ authority: GatewayAuthority, pem: String?, isRevoked: @escaping @Sendable ([UInt8]) -> Bool) throws {
        self.isRevoked = isRevoked
        let others = try pem.map(Self.read) ?? []
        certificates = [authority.certificate].compactMap(\.self) + others
    }

    private static func read(_ pem: String) throws(Problem) -> [Certificate] {
        let documents: [PEMDocument]
        do {
            documents = try PEMDocument.parseMultiple(
                pemString: String(decoding: Array(pem.utf8).normalizedPEM, as: UTF8.self)
            )
        } catch { throw Problem("it is broken PEM") }
        guard !documents.isEmpty else { throw Problem(pem.isEmpty ? "it is empty" : "it is not PEM") }
        var certificates: [Certificate] = []
        for document in documents {
            guard document.discriminator == Certificate.defaultPEMDiscriminator else {
                throw Problem("it holds a \(document.discriminator.lowercased())")
            }
            do { certificates.append(try Certificate(pemDocument: document)) } catch {
                throw Problem("certificate \(certificates.count + 1) in it cannot be read")
            }
        }
        return certificates
    }

    /// Whether one of them signed it and it is not revoked. Intermediate certificates are not followed: list them too.
    func believe(_ certificate: Certificate) -> Bool {
        !isRevoked(Array(certificate.serialNumber.bytes))
            && certificates.contains { authority in
                authority.subject == certificate.issuer
                    && authority.publicKey.isValidSignature(certificate.signature, for: certificate)
            }
    }
}

extension ProviderAuthorities.Problem {
    fileprivate init(_ found: String) {
        self.init(description: found + "; expected PEM with one '-----BEGIN CERTIFICATE-----' or more.")
    }
}
