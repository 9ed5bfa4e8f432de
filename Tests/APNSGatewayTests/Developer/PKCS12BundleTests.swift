import APNSProvider
import Crypto
import Foundation
import NIOSSL
import NetworkSupport
import PushModel
import Testing

@testable import AppleDeveloper

@Suite("PKCS#12 bundles")
struct PKCS12BundleTests {
    private func identity(_ key: CertificateKey) throws -> (certificate: PushCertificate, bundle: PKCS12Bundle) {
        let order = GatewayAuthority.PushOrder(
            appID: try AppID(bundleID: bundleID, hasPush: true),
            teamID: team,
            environments: [.development, .production]
        )
        let certificate = try GatewayAuthority(folder: nil).issue(order, to: key.publicKey, at: Date())
        return (certificate, try PKCS12Bundle(certificate, key: key))
    }

    static func p256() throws -> CertificateKey { try CertificateKey(pem: P256.Signing.PrivateKey().pemRepresentation) }

    @Test("Are opened by the provider client, whatever the key and the password", arguments: ["secret", "", "a b~"])
    func opened(_ password: String) throws {
        var random = SplitMix(seed: 7)
        for key in [try Self.p256(), try CertificateKey()] {
            let (certificate, bundle) = try identity(key)
            let bytes = try bundle.encoded(password: password, using: &random)
            let read = try APNSCertificate(p12: bytes, passPhrase: password)
            #expect(read.commonName == "Apple Push Services: com.example.app")
            #expect(try read.der() == certificate.der)
            #expect(throws: APNSCertificate.Unreadable.self) {
                try APNSCertificate(p12: bytes, passPhrase: password + "x")
            }
        }
    }

    @Test("Have a MAC that BoringSSL finds good")
    func boringSSL() throws {
        var random = SplitMix(seed: 7)
        let (certificate, bundle) = try identity(Self.p256())
        let bytes = try bundle.encoded(password: "secret", using: &random)
        let read = try NIOSSLPKCS12Bundle(buffer: bytes, passphrase: Array("secret".utf8))
        #expect(try read.certificateChain.map { try $0.toDERBytes() } == [certificate.der])
        #expect(throws: (any Error).self) { try NIOSSLPKCS12Bundle(buffer: bytes, passphrase: Array("other".utf8)) }
    }

    /// The expected value is Python's, for RFC 7292, appendix B.2, written down a second time.
    @Test("Have a MAC by the standard's key derivation")
    func mac() {
        let mac = PKCS12.mac(
            by: SHA256.self,
            of: Array("abc".utf8),
            secret: "smeg".bigEndianUTF16 + [0, 0],
            salt: Array(0..<8)
        )
        #expect(mac.hexadecimal == "899fcad39b3d16f2d00e76856d9889734288bce777aba8fa24250394345fa7b0")
    }

    @Test("Have salts of their own each time")
    func salts() throws {
        var random = SplitMix(seed: 7)
        let bundle = try identity(Self.p256()).bundle
        let first = try bundle.encoded(password: "secret", using: &random)
        #expect(try bundle.encoded(password: "secret", using: &random) != first)
        var again = SplitMix(seed: 7)
        #expect(try bundle.encoded(password: "secret", using: &again) == first)
    }

    @Test("Refuses another key, and passwords that programs read in different ways")
    func refuses() throws {
        let (certificate, bundle) = try identity(Self.p256())
        let other = try Self.p256()
        let problem = #expect(throws: DeveloperProblem.self) { try PKCS12Bundle(certificate, key: other) }
        #expect(problem?.description.hasPrefix("The private key does not belong to the certificate") == true)
        var random = SplitMix(seed: 7)
        for password in ["Pässword", "密码", "a\n"] {
            #expect(throws: DeveloperProblem.self) { try bundle.encoded(password: password, using: &random) }
        }
    }
}
