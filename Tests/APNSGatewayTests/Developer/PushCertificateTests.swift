import APNSGateway
import APNSProvider
import AppleDeveloper
import Crypto
import Foundation
import NetworkSupport
import PushModel
import SwiftASN1
import TestSupport
import Testing
import X509

@Suite("Push certificates")
struct PushCertificateTests {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    let authority: GatewayAuthority
    let key: CertificateKey

    init() throws {
        authority = try GatewayAuthority(folder: nil)
        // Faster to make than RSA.
        key = try CertificateKey(pem: P256.Signing.PrivateKey().pemRepresentation)
    }

    private func order(_ environments: Set<APNSEnvironment>, hasPush: Bool = true) throws -> GatewayAuthority.PushOrder
    {
        GatewayAuthority.PushOrder(
            appID: try AppID(bundleID: bundleID, hasPush: hasPush),
            teamID: team,
            environments: environments
        )
    }

    static let kinds: [(environments: Set<APNSEnvironment>, name: String, topics: [String])] = [
        ([.development], "Apple Development IOS Push Services: com.example.app", ["com.example.app"]),
        ([.production], "Apple Production IOS Push Services: com.example.app", ["com.example.app"]),
        (
            [.development, .production], "Apple Push Services: com.example.app",
            ["com.example.app", "com.example.app.voip", "com.example.app.complication"]
        ),
    ]

    @Test("Bear Apple's names and extensions, and are read by the provider client", arguments: kinds)
    func names(_ kind: (environments: Set<APNSEnvironment>, name: String, topics: [String])) throws {
        let certificate = try authority.issue(order(kind.environments), to: key.publicKey, at: Self.now)
        #expect(certificate.commonName == kind.name)
        #expect(certificate.userID == bundleID)
        #expect(certificate.subject == "O=Posthorn,OU=TEAM123456,CN=\(kind.name),UID=com.example.app")
        #expect(certificate.teamID == team)
        #expect(certificate.environments == kind.environments)
        #expect(certificate.topics.map(\.name) == kind.topics)
        #expect(certificate.topics.map(\.kind) == Array(["app", "voip", "complication"].prefix(kind.topics.count)))
        #expect(authority.hasIssued(certificate))
        let read = try APNSCertificate(pem: certificate.pem(), key: key.pem)
        #expect(read.topics == kind.topics)
        #expect(read.environments == kind.environments)
        #expect(read.teamID == team)
        #expect(read.commonName == kind.name)
        #expect(read.notValidAfter == Self.now.addingTimeInterval(395 * 86400))
        #expect(try read.der() == certificate.der)
        let x509 = try Certificate(derEncoded: certificate.der)
        #expect(try x509.extensions.extendedKeyUsage == ExtendedKeyUsage([.clientAuth]))
        #expect(try x509.extensions.basicConstraints == .notCertificateAuthority)
    }

    @Test("Read back from PEM, also with others behind it, and from DER")
    func readBack() throws {
        let certificate = try authority.issue(order([.development]), to: key.publicKey, at: Self.now)
        #expect(try PushCertificate(certificate.der) == certificate)
        #expect(try PushCertificate(Array(certificate.pem().utf8)) == certificate)
        #expect(try PushCertificate(Array((certificate.pem() + authority.pem).utf8)) == certificate)
        #expect(throws: DeveloperProblem.self) { try PushCertificate(Array("nothing".utf8)) }
        #expect(throws: DeveloperProblem.self) { try PushCertificate([]) }
    }

    @Test("Are not issued while push is off, nor by an authority that is somebody else's")
    func refusals() async throws {
        let off = #expect(throws: DeveloperProblem.self) {
            try authority.issue(order([.development], hasPush: false), to: key.publicKey, at: Self.now)
        }
        #expect(
            off?.description == "Push is off for the App ID 'com.example.app', so it has no push certificates. "
                + "'posthorn appid set com.example.app --push on' turns it on."
        )
        try await withTemporaryPath { folder in
            _ = try GatewayAuthority(folder: folder)
            let given = try GatewayAuthority(certificates: folder + "/server.pem", key: folder + "/server.key")
            #expect(!given.canIssue)
            #expect(throws: DeveloperProblem.self) {
                try given.issue(order([.development]), to: key.publicKey, at: Self.now)
            }
        }
    }

    @Test("End with their authority at the latest")
    func end() throws {
        let late = Date().addingTimeInterval(3600 * 86400)
        let certificate = try authority.issue(order([.development]), to: key.publicKey, at: late)
        #expect(certificate.notValidAfter < late.addingTimeInterval(100 * 86400))
    }

    @Test("Certificates of another authority are told apart")
    func others() throws {
        let other = try GatewayAuthority(folder: nil)
        #expect(try !authority.hasIssued(other.issue(order([.development]), to: key.publicKey, at: Self.now)))
    }

    @Test("Are good from their first to their last day, and until they are revoked")
    func validity() async throws {
        let certificate = try authority.issue(order([.development]), to: key.publicKey, at: Self.now)
        #expect(certificate.validity(at: Self.now, revocations: nil) == .valid)
        #expect(certificate.validity(at: Self.now.addingTimeInterval(-3600), revocations: nil) == .notYetValid)
        #expect(certificate.validity(at: Self.now.addingTimeInterval(396 * 86400), revocations: nil) == .expired)
        try await withTemporaryPath { folder in
            let list = RevocationList(folder: folder)
            #expect(!list.isRevoked(certificate.serial))
            #expect(certificate.validity(at: Self.now, revocations: list) == .valid)
            try list.revoke(certificate.serial, at: Self.now)
            try list.revoke(certificate.serial, at: Self.now.addingTimeInterval(60))
            let other = RevocationList(folder: folder)
            #expect(other.isRevoked(certificate.serial))
            #expect(other.isRevoked([0, 0] + certificate.serial))
            #expect(!other.isRevoked(certificate.serial.dropLast()))
            #expect(certificate.validity(at: Self.now, revocations: other) == .revoked(Self.now))
        }
    }

    @Test("Their key is one that TLS clients use")
    func keys() throws {
        let weak = #expect(throws: DeveloperProblem.self) { try CertificateKey(pem: "-----BEGIN PRIVATE KEY-----") }
        #expect(weak?.description.contains("RSA of 2048 bits or more, or P-256") == true)
        let locked = #expect(throws: DeveloperProblem.self) {
            try CertificateKey(pem: "-----BEGIN ENCRYPTED PRIVATE KEY-----")
        }
        #expect(locked?.description.contains("'openssl pkey") == true)
        let made = try CertificateKey()
        #expect(made.pem.hasPrefix("-----BEGIN PRIVATE KEY-----"))
        #expect(try CertificateKey(pem: made.pem).pem == made.pem)
    }
}
