import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// A certificate for this machine that signs itself, and its key, as PEM files.
struct TestCertificate {
    let certificates: String
    let key: String
    private let pem: String

    /// Writes `cert.pem` and `key.pem` to `folder`, in the place of earlier ones.
    init(
        in folder: URL,
        from start: Date = Date(timeIntervalSinceNow: -3600),
        until end: Date = Date(timeIntervalSinceNow: 86_400)
    ) throws {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let name = try DistinguishedName { CommonName("localhost") }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: key.publicKey,
            notValidBefore: start,
            notValidAfter: end,
            issuer: name,
            subject: name,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                SubjectAlternativeNames([
                    .dnsName("localhost"), .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
                ])
            },
            issuerPrivateKey: key
        )
        pem = try certificate.serializeAsPEM().pemString
        self.certificates = folder.appending(path: "cert.pem").path
        self.key = folder.appending(path: "key.pem").path
        try Data(pem.utf8).write(to: URL(filePath: certificates))
        try Data(key.serializeAsPEM().pemString.utf8).write(to: URL(filePath: self.key))
    }

    /// The trust of a client that accepts this certificate alone.
    func roots() throws -> NIOSSLTrustRoots { .certificates(try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8))) }

    /// Returns the settings of a client that offers `protocols` by ALPN and, if given, `ciphers` of TLS 1.2 alone.
    func clientContext(protocols: [String] = ["http/1.1"], ciphers: [NIOTLSCipher]? = nil) throws -> NIOSSLContext {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = try roots()
        tls.applicationProtocols = protocols
        if let ciphers {
            tls.maximumTLSVersion = .tlsv12
            tls.cipherSuiteValues = ciphers
        }
        return try NIOSSLContext(configuration: tls)
    }
}
