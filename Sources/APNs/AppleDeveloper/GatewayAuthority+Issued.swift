import SwiftASN1
import X509

extension GatewayAuthority {
    /// Returns whether an authority in a PEM text has signed a certificate; nil if either cannot be read.
    package static func hasIssued(_ der: [UInt8], authorities pem: String) -> Bool? {
        guard let certificate = try? Certificate(derEncoded: der),
            let documents = try? PEMDocument.parseMultiple(pemString: pem),
            let authorities = try? documents.map({ try Certificate(pemDocument: $0) })
        else { return nil }
        return authorities.contains { $0.publicKey.isValidSignature(certificate.signature, for: certificate) }
    }
}
