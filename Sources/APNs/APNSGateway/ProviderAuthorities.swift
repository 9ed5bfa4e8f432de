import SwiftASN1
import X509

/// The authorities whose client certificates the gateway believes.
struct ProviderAuthorities: Sendable {
    let certificates: [Certificate]
    private let isRevoked: @Sendable ([UInt8]) -> Bool

    /// Of the parameters:
    /// * `authority`: the gateway's own, if it has one.
    /// * `pem`: the certificates of others as PEM text.
    /// * `isRevoked`: whether the certificate with this serial number is.
    /// - Throws: when the text holds something else.
    init(_ authority: GatewayAuthority, pem: String?, isRevoked: @escaping @Sendable ([UInt8]) -> Bool) throws {
        self.isRevoked = isRevoked
        let others = try pem.map { try PEMDocument.parseMultiple(pemString: $0) } ?? []
        certificates =
            [authority.issuer?.certificate].compactMap(\.self) + (try others.map { try Certificate(pemDocument: $0) })
    }

    /// Whether one of them has signed it and none has revoked it. Certificates in between are not followed: list them too.
    func believe(_ certificate: Certificate) -> Bool {
        !isRevoked(Array(certificate.serialNumber.bytes))
            && certificates.contains { authority in
                authority.subject == certificate.issuer
                    && authority.publicKey.isValidSignature(certificate.signature, for: certificate)
            }
    }
}
