import Crypto
import Foundation
import NIOSSL
import PushModel

@testable import APNSGateway

/// A client certificate to be made, as Apple's are.
struct CertificateOrder: Sendable {
    enum Issuer: Sendable {
        /// The gateway's own authority.
        case gateway
        /// Another one.
        case stranger
    }

    static let serialNumber: [UInt8] = [7]

    var userID = bundleID
    /// Without any there is no list in the certificate.
    var topics: [String] = []
    /// Without any the certificate says nothing of them.
    var environments: Set<APNSEnvironment> = Set(APNSEnvironment.allCases)
    /// 2040 if nothing is said.
    var notValidAfter = Date(timeIntervalSince1970: 2_208_988_800)
    var isForServers = false
    var issuer = Issuer.gateway

    /// The rights that the gateway should read in it.
    var facts: ProviderCertificate {
        ProviderCertificate(
            serialNumber: Self.serialNumber,
            topics: topics.isEmpty ? [userID] : topics,
            environments: environments.isEmpty ? Set(APNSEnvironment.allCases) : environments,
            notValidAfter: notValidAfter,
            isBelieved: issuer == .gateway && !isForServers
        )
    }
}

/// An authority that makes client certificates, from octets on.
struct CertificateMaker {
    private let name: [UInt8]
    private let key: P256.Signing.PrivateKey

    /// The gateway's own authority, from its folder.
    init(folder: String) throws {
        name = DER.name([(DER.organization, "Posthorn"), (DER.commonName, "Posthorn gateway authority")])
        key = try P256.Signing.PrivateKey(
            pemRepresentation: String(contentsOfFile: folder + "/ca.key", encoding: .utf8)
        )
    }

    /// One that nobody knows.
    init() {
        name = DER.name([(DER.commonName, "Stranger")])
        key = P256.Signing.PrivateKey()
    }

    /// Its own certificate in PEM.
    func pem() throws -> String {
        let basic = DER.extension([0x55, 0x1D, 0x13], DER.sequence(DER.node(0x01, [0xFF])))
        return DER.pem(try certificate(name, key.publicKey, [0x01], "400101000000Z", [basic]))
    }

    /// - Returns: certificate and key in PEM.
    func make(_ order: CertificateOrder) throws -> (certificate: String, key: String) {
        let own = P256.Signing.PrivateKey()
        let subject = DER.name([
            (DER.userID, order.userID), (DER.commonName, "Apple Push Services: " + order.userID),
            (DER.organizationalUnit, team),
        ])
        let usage: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, order.isForServers ? 0x01 : 0x02]
        var extensions = [DER.extension([0x55, 0x1D, 0x25], DER.sequence(DER.node(0x06, usage)))]
        if order.environments.contains(.development) { extensions.append(DER.extension(DER.apple(1), [0x05, 0x00])) }
        if order.environments.contains(.production) { extensions.append(DER.extension(DER.apple(2), [0x05, 0x00])) }
        if !order.topics.isEmpty {
            let list = order.topics.flatMap { DER.text($0) + DER.sequence(DER.text("app")) }
            extensions.append(DER.extension(DER.apple(6), DER.sequence(list)))
        }
        // UTCTime: the digits of 2040-01-01T00:00:00Z without the century.
        let date = order.notValidAfter.formatted(.iso8601).filter(\.isNumber).dropFirst(2) + "Z"
        let der = try certificate(subject, own.publicKey, CertificateOrder.serialNumber, String(date), extensions)
        return (DER.pem(der), own.pemRepresentation)
    }

    private func certificate(
        _ subject: [UInt8],
        _ publicKey: P256.Signing.PublicKey,
        _ serialNumber: [UInt8],
        _ end: String,
        _ extensions: [[UInt8]]
    ) throws -> [UInt8] {
        let algorithm = DER.sequence(DER.node(0x06, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]))
        let validity = DER.sequence(["200101000000Z", end].flatMap { DER.node(0x17, Array($0.utf8)) })
        let version = DER.node(0xA0, DER.node(0x02, [0x02]))
        let parts = [
            version, DER.node(0x02, serialNumber), algorithm, name, validity, subject,
            Array(publicKey.derRepresentation), DER.node(0xA3, DER.sequence(extensions.flatMap(\.self))),
        ]
        let signed = DER.sequence(parts.flatMap(\.self))
        let signature = try key.signature(for: Data(signed)).derRepresentation
        return DER.sequence(signed + algorithm + DER.node(0x03, [0x00] + signature))
    }
}

/// As much of ITU-T X.690 as a certificate needs.
private enum DER {
    static let userID: [UInt8] = [0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 0x01, 0x01]
    static let commonName: [UInt8] = [0x55, 0x04, 0x03]
    static let organization: [UInt8] = [0x55, 0x04, 0x0A]
    static let organizationalUnit: [UInt8] = [0x55, 0x04, 0x0B]

    /// 1.2.840.113635.100.6.3 and one more.
    static func apple(_ last: UInt8) -> [UInt8] { [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x03, last] }

    static func node(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            count < 0x80
            ? [UInt8(count)] : [0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
        // The shortest form is asked for, which has one octet for lengths up to 255.
        return [tag] + (count < 0x80 || count > 0xFF ? length : [0x81, UInt8(count)]) + content
    }

    static func sequence(_ content: [UInt8]) -> [UInt8] { node(0x30, content) }

    static func text(_ text: String) -> [UInt8] { node(0x0C, Array(text.utf8)) }

    static func name(_ parts: [([UInt8], String)]) -> [UInt8] {
        sequence(parts.flatMap { kind, value in node(0x31, sequence(node(0x06, kind) + text(value))) })
    }

    static func `extension`(_ kind: [UInt8], _ value: [UInt8]) -> [UInt8] {
        sequence(node(0x06, kind) + node(0x04, value))
    }

    static func pem(_ der: [UInt8]) -> String {
        let lines = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n"
    }
}
