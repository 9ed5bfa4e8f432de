import APNSGateway
import AppleDeveloper
import Crypto
import Foundation
import PushModel
import SwiftASN1
import Testing
import X509

@Suite("Certificate signing requests")
struct CertificateRequestTests {
    private func request(_ key: Certificate.PrivateKey) throws -> CertificateSigningRequest {
        try CertificateSigningRequest(
            version: .v1,
            subject: DistinguishedName { CommonName("Somebody") },
            privateKey: key,
            attributes: .init()
        )
    }

    private func der(_ request: CertificateSigningRequest) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(request)
        return serializer.serializedBytes
    }

    @Test("Are read as PEM under both names, and as DER; the certificate is for their key")
    func reads() throws {
        let key = P256.Signing.PrivateKey()
        let request = try request(Certificate.PrivateKey(key))
        let pem = try request.serializeAsPEM().pemString
        let old = pem.replacingOccurrences(of: " CERTIFICATE REQUEST", with: " NEW CERTIFICATE REQUEST")
        let authority = try GatewayAuthority(folder: nil)
        let appID = try AppID(bundleID: bundleID, hasPush: true)
        let order = GatewayAuthority.PushOrder(appID: appID, teamID: team, environments: [.production])
        for file in [Array(pem.utf8), Array(old.utf8), try der(request)] {
            let certificate = try authority.issue(order, to: CertificateRequest(file).publicKey, at: Date())
            #expect(try Certificate(derEncoded: certificate.der).publicKey == Certificate.PublicKey(key.publicKey))
            #expect(certificate.subject.contains("Somebody") == false)
            _ = try PKCS12Bundle(certificate, key: CertificateKey(pem: key.pemRepresentation))
        }
    }

    @Test("Refuses what is none, and says what it is")
    func refuses() throws {
        let key = P256.Signing.PrivateKey().pemRepresentation
        for (text, found) in [
            ("", "it is empty"), ("abc", "it has 3 bytes of something else"), (key, "it holds a private key"),
        ] {
            let problem = #expect(throws: DeveloperProblem.self) { try CertificateRequest(Array(text.utf8)) }
            #expect(
                problem?.description.hasPrefix("The file is not a certificate signing request: \(found). Expected")
                    == true
            )
        }
    }

    @Test("Refuses one that its own key did not sign")
    func forged() throws {
        var bytes = try der(request(Certificate.PrivateKey(P256.Signing.PrivateKey())))
        let name = try #require(bytes.firstRange(of: Array("Somebody".utf8)))
        bytes[name.lowerBound] = UInt8(ascii: "N")
        let problem = #expect(throws: DeveloperProblem.self) { try CertificateRequest(bytes) }
        #expect(problem?.description.contains("is not signed by its own key") == true)
    }

    @Test("Refuses keys that are not for TLS clients")
    func keys() throws {
        let bytes = try der(request(Certificate.PrivateKey(P384.Signing.PrivateKey())))
        let problem = #expect(throws: DeveloperProblem.self) { try CertificateRequest(bytes) }
        #expect(problem?.description.contains("neither RSA nor P-256") == true)
    }
}
