package import Foundation
import NetworkSupport
package import PushModel
import SwiftASN1
package import X509

/// A push certificate and its contents.
///
/// Source: Apple, "Establishing a certificate-based connection to APNs", read October 2026.
package struct PushCertificate: Hashable, Sendable {
    /// A value of `apns-topic`, and the kind of push it is for: `app`, `voip` or `complication`.
    package struct Topic: Hashable, Sendable {
        package var name: String
        package var kind: String
    }

    let certificate: Certificate
    /// The topics of the extension 1.2.840.113635.100.6.3.6; without it, the `UID` of the subject.
    package let topics: [Topic]
    /// The environments by the extensions .3.1 and .3.2; both if neither is present.
    package let environments: Set<APNSEnvironment>

    /// - Parameter file: PEM or DER.
    /// - Throws: if it is not a certificate.
    package init(_ file: [UInt8]) throws(DeveloperProblem) {
        let text = String(decoding: file.normalizedPEM, as: UTF8.self)
        let certificate: Certificate
        do {
            certificate =
                try text.contains("-----BEGIN CERTIFICATE-----")
                ? Certificate(pemEncoded: Self.firstCertificate(in: text)) : Certificate(derEncoded: file)
        } catch {
            throw DeveloperProblem(
                "The file is not a certificate; expected PEM with '-----BEGIN CERTIFICATE-----', DER, or a .p12 bundle."
            )
        }
        self.init(certificate)
    }

    package init(_ certificate: Certificate) {
        self.certificate = certificate
        let listed = Self.topics(of: certificate, in: CertificateObject.topics)
        let userID = Self.text(CertificateObject.userID, in: certificate.subject)
        topics = listed.isEmpty ? [userID].compactMap(\.self).map { Topic(name: $0, kind: "app") } : listed
        var environments: Set<APNSEnvironment> = []
        if certificate.extensions[oid: CertificateObject.development] != nil { environments.insert(.development) }
        if certificate.extensions[oid: CertificateObject.production] != nil { environments.insert(.production) }
        self.environments = environments.isEmpty ? Set(APNSEnvironment.allCases) : environments
    }

    /// The topics of the extension; empty without it.
    package var listedTopics: [Topic] { Self.topics(of: certificate, in: CertificateObject.topics) }
    /// The topics of the extension of VoIP certificates, 1.2.840.113635.100.6.3.4.
    package var voipTopics: [Topic] { Self.topics(of: certificate, in: CertificateObject.voipTopics) }
    /// The octets of the serial number.
    package var serial: [UInt8] { Array(certificate.serialNumber.bytes) }
    /// The common name, such as `Apple Push Services: com.example.app`.
    package var commonName: String? { Self.text(CertificateObject.commonName, in: certificate.subject) }
    /// The bundle id of the certificate's app.
    package var userID: String? { Self.text(CertificateObject.userID, in: certificate.subject) }
    package var teamID: String? { Self.text(CertificateObject.organizationalUnit, in: certificate.subject) }
    /// The whole subject on one line.
    package var subject: String {
        // The only attribute of these certificates whose name the library does not know.
        certificate.subject.description.replacingOccurrences(of: "\(CertificateObject.userID)=", with: "UID=")
    }
    /// The issuer's name on one line.
    package var issuer: String { certificate.issuer.description }
    package var notValidBefore: Date { certificate.notValidBefore }
    package var notValidAfter: Date { certificate.notValidAfter }

    /// - Throws: any error of the DER encoder.
    package func der() throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }

    /// - Throws: any error of the DER encoder.
    package func pem() throws -> String { try certificate.serializeAsPEM().pemString + "\n" }

    /// Returns the first certificate of a file, which may hold several.
    private static func firstCertificate(in text: String) -> String {
        guard let start = text.range(of: "-----BEGIN CERTIFICATE-----"),
            let end = text.range(of: "-----END CERTIFICATE-----", range: start.upperBound..<text.endIndex)
        else { return text }
        return String(text[start.lowerBound..<end.upperBound])
    }

    private static func text(_ kind: ASN1ObjectIdentifier, in name: DistinguishedName) -> String? {
        for attribute in name.flatMap(\.self) where attribute.type == kind { return String(attribute.value) }
        return nil
    }

    /// Returns the names of an extension, each followed by a sequence with its kind; empty for any other value.
    private static func topics(of certificate: Certificate, in id: ASN1ObjectIdentifier) -> [Topic] {
        guard let value = certificate.extensions[oid: id]?.value, let list = try? DER.parse(value),
            case .constructed(let nodes) = list.content
        else { return [] }
        var topics: [Topic] = []
        for node in nodes {
            if let name = try? ASN1UTF8String(derEncoded: node) {
                topics.append(Topic(name: String(name), kind: "app"))
            } else if case .constructed(let kinds) = node.content, let last = topics.indices.last,
                let kind = kinds.lazy.compactMap({ try? ASN1UTF8String(derEncoded: $0) }).first(where: { _ in true })
            {
                topics[last].kind = String(kind)
            }
        }
        return topics
    }
}

extension PushCertificate {
    /// The validity of a certificate at a date.
    package enum Validity: Hashable, Sendable {
        case valid
        case notYetValid
        case expired
        case revoked(Date)
    }

    /// `revocations` is the list of the gateway that issued it; nil if it was issued elsewhere.
    package func validity(at now: Date, revocations: RevocationList?) -> Validity {
        if let date = revocations?.date(of: serial) { return .revoked(date) }
        if now < notValidBefore { return .notYetValid }
        return now > notValidAfter ? .expired : .valid
    }
}

/// The revoked certificates of a gateway's authority: one file each in its data folder.
///
/// Each query reads the folder, so a running gateway needs no restart.
package struct RevocationList: Sendable {
    private let folder: URL

    /// `folder` is the gateway's data folder.
    package init(folder: String) {
        self.folder = URL(filePath: folder, directoryHint: .isDirectory).appending(path: "developer/revoked")
    }

    /// Whether the certificate with this serial number is revoked. The serial number is given as octets, as in the certificate;
    /// leading zeros are ignored.
    package func isRevoked(_ serial: some Sequence<UInt8>) -> Bool {
        FileManager.default.fileExists(atPath: file(of: serial).path(percentEncoded: false))
    }

    /// Returns the date of revocation of the certificate with this serial number; nil if it is not revoked.
    package func date(of serial: some Sequence<UInt8>) -> Date? {
        guard let text = try? String(contentsOf: file(of: serial), encoding: .utf8) else { return nil }
        return try? Date(text.trimmingCharacters(in: .whitespacesAndNewlines), strategy: .iso8601)
    }

    /// Revokes a certificate permanently. A certificate that is already revoked keeps its first date.
    ///
    /// - Throws: if the folder cannot be written.
    package func revoke(_ serial: some Sequence<UInt8>, at now: Date) throws {
        guard !isRevoked(serial) else { return }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = file(of: serial).path(percentEncoded: false)
        try OutputFile.write(Data((now.formatted(.iso8601) + "\n").utf8), to: path)
    }

    private func file(of serial: some Sequence<UInt8>) -> URL {
        let digits = Array(serial).drop { $0 == 0 }.hexadecimal
        return folder.appending(path: digits.isEmpty ? "00" : digits)
    }
}
