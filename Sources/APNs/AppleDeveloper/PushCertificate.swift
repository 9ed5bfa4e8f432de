package import Foundation
package import NetworkSupport
package import PushModel
import SwiftASN1
package import X509

/// A push certificate and its contents.
///
/// Source: Apple, "Establishing a certificate-based connection to APNs", read October 2026.
package struct PushCertificate: Hashable, Sendable {
    package typealias Topic = CertificateFacts.Topic

    let certificate: Certificate
    package let der: [UInt8]
    private let facts: CertificateFacts
    /// The topics of the extension 1.2.840.113635.100.6.3.6; without it, the `UID` of the subject.
    package let topics: [Topic]

    /// - Parameter file: PEM or DER.
    /// - Throws: if it is not a certificate.
    package init(_ file: [UInt8]) throws(DeveloperProblem) {
        let text = String(decoding: file.normalizedPEM, as: UTF8.self)
        do {
            try self.init(
                text.contains("-----BEGIN CERTIFICATE-----")
                    ? Certificate(pemEncoded: Self.firstCertificate(in: text)) : Certificate(derEncoded: file)
            )
        } catch {
            throw DeveloperProblem(
                "The file is not a certificate; expected PEM with '-----BEGIN CERTIFICATE-----', DER, or a .p12 bundle."
            )
        }
    }

    /// - Throws: any error of the DER encoder.
    package init(_ certificate: Certificate) throws {
        self.certificate = certificate
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        der = serializer.serializedBytes
        facts = try CertificateFacts(der: der)
        let app = facts.userID.map { [Topic(name: $0, kind: "app")] } ?? []
        topics = facts.listedTopics.isEmpty ? app : facts.listedTopics
    }

    /// The environments by the extensions .3.1 and .3.2; both if neither is present.
    package var environments: Set<APNSEnvironment> { facts.environments }
    /// The octets of the serial number.
    package var serial: [UInt8] { Array(certificate.serialNumber.bytes) }
    /// The common name, such as `Apple Push Services: com.example.app`.
    package var commonName: String? { facts.commonName }
    /// The bundle id of the certificate's app.
    package var userID: String? { facts.userID }
    package var teamID: String? { facts.teamID }
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
    package func pem() throws -> String { try certificate.serializeAsPEM().pemString + "\n" }

    /// Returns the first certificate of a file, which may hold several.
    private static func firstCertificate(in text: String) -> String {
        guard let start = text.range(of: "-----BEGIN CERTIFICATE-----"),
            let end = text.range(of: "-----END CERTIFICATE-----", range: start.upperBound..<text.endIndex)
        else { return text }
        return String(text[start.lowerBound..<end.upperBound])
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
