package import SwiftASN1

/// The object identifiers in the subjects and extensions of push certificates.
package enum CertificateObject {
    package static let userID: ASN1ObjectIdentifier = "0.9.2342.19200300.100.1.1"
    package static let commonName: ASN1ObjectIdentifier = "2.5.4.3"
    package static let organizationalUnit: ASN1ObjectIdentifier = "2.5.4.11"
    package static let development: ASN1ObjectIdentifier = "1.2.840.113635.100.6.3.1"
    package static let production: ASN1ObjectIdentifier = "1.2.840.113635.100.6.3.2"
    package static let voipTopics: ASN1ObjectIdentifier = "1.2.840.113635.100.6.3.4"
    package static let topics: ASN1ObjectIdentifier = "1.2.840.113635.100.6.3.6"
}
