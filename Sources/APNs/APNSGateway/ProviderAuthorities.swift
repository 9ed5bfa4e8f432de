import SwiftASN1
import X509

/// The authorities whose client certificates the gateway believes.
struct ProviderAuthorities: Sendable {
    let certificates: [Certificate]

    /// * `authority`: the gateway's own, if it has one.
    /// * `pem`: the certificates of others as PEM text.
    /// - Throws: when the text holds something else.
    init(_ authority: GatewayAuthority, pem: String?) throws {
        let others = try pem.map { try PEMDocument.parseMultiple(pemString: $0) } ?? []
        certificates =
            [authority.certificate].compactMap(\.self) + (try others.map { try Certificate(pemDocument: $0) })
    }

    /// Whether one of them has signed it. Certificates in between are not followed: list them too.
    func haveIssued(_ certificate: Certificate) -> Bool {
        certificates.contains { authority in
            authority.subject == certificate.issuer
                && authority.publicKey.isValidSignature(certificate.signature, for: certificate)
        }
    }
}
