import AppleDeveloper
package import Foundation
import NetworkSupport
package import PushModel
import SwiftASN1
import X509

/// The push-related facts of a provider's client certificate.
///
/// Source: Apple, "Establishing a certificate-based connection to APNs", read October 2026.
package struct ProviderCertificate: Hashable, Sendable {
    /// The serial number, unique among its issuer's certificates.
    package var serialNumber: [UInt8]
    /// The values of `apns-topic`: those of the extension; without it, the subject's `UID`.
    package var topics: [String]
    /// The environments; both if the certificate names none.
    package var environments = Set(APNSEnvironment.allCases)
    package var notValidAfter = Date.distantFuture
    /// Whether an authority that the gateway accepts has issued it, for use as a client certificate.
    package var isBelieved = true

    /// The topic for pushes that name none; nil if there are several.
    var onlyTopic: String? { topics.count == 1 ? topics.first : nil }

    /// The push types that certificates cannot send, whatever topics they list. Apple says so of `location` and asks for
    /// tokens with Live Activities; applying it to all newer types too is our choice.
    static let tokenTypes: Set<APNSPushType> = [
        .location, .liveactivity, .pushtotalk, .widgets, .controls, .accessory, .nowplaying,
    ]
}

extension ProviderCertificate {
    /// Reads a certificate; an unreadable certificate is not accepted.
    init(der: [UInt8], issuedBy authorities: ProviderAuthorities) {
        guard let certificate = try? Certificate(derEncoded: der), let facts = try? CertificateFacts(der: der) else {
            self.init(serialNumber: [], topics: [], environments: [], isBelieved: false)
            return
        }
        self.init(
            serialNumber: Array(certificate.serialNumber.bytes),
            topics: facts.topics,
            environments: facts.environments,
            notValidAfter: certificate.notValidAfter,
            isBelieved: Self.isForClients(certificate.extensions) && authorities.believe(certificate)
        )
    }

    /// Whether it may be used by clients. A certificate without a stated purpose is for every use (RFC 5280, section 4.2.1.12).
    private static func isForClients(_ extensions: Certificate.Extensions) -> Bool {
        do {
            guard let usage = try extensions.extendedKeyUsage else { return true }
            return usage.contains(.clientAuth) || usage.contains(.any)
        } catch { return false }
    }
}

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
