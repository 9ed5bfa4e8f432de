import APNSGateway
import AppleDeveloper
import Foundation
import PushModel

/// A description of a certificate, as text and as JSON.
struct CertificateFactsText {
    private let certificate: PushCertificate
    private let validity: PushCertificate.Validity
    private let isOurs: Bool

    /// - `isOurs`: whether the gateway's authority issued it.
    init(_ certificate: PushCertificate, validity: PushCertificate.Validity, isOurs: Bool) {
        self.certificate = certificate
        self.validity = validity
        self.isOurs = isOurs
    }

    var lines: [String] {
        [
            "Name         \(certificate.commonName ?? "none")",
            "Subject      \(certificate.subject)",
            "Topics       \(topics)",
            "Good in      \(environments.joined(separator: ", "))",
            "Valid        \(certificate.notValidBefore.formatted(.iso8601)) to "
                + "\(certificate.notValidAfter.formatted(.iso8601)): \(state)",
            "Issuer       \(certificate.issuer)\(isOurs ? " (this gateway)" : "")",
            "Serial       \(certificate.serial.hexadecimal)",
        ]
    }

    var members: JSONObject {
        var object: JSONObject = [
            "common_name": .orNull(certificate.commonName), "bundle_id": .orNull(certificate.userID),
            "team_id": .orNull(certificate.teamID), "subject": .string(certificate.subject),
            "topics": .array(certificate.topics.map { .string($0.name) }), "environments": .strings(environments),
            "not_before": .date(certificate.notValidBefore), "not_after": .date(certificate.notValidAfter),
            "issuer": .string(certificate.issuer), "serial": .string(certificate.serial.hexadecimal),
            "issued_here": .bool(isOurs), "expired": .bool(validity == .expired),
        ]
        // The revocation of other issuers' certificates is unknown here.
        if isOurs { object["revoked"] = false }
        if case .revoked(let date) = validity {
            object["revoked"] = true
            object["revoked_at"] = .date(date)
        }
        return object
    }

    private var environments: [String] { certificate.environments.map(\.rawValue).sorted() }

    private var topics: String {
        let topics = certificate.topics.map { $0.kind == "app" ? $0.name : "\($0.name) (\($0.kind))" }
        return topics.isEmpty ? "none: it is not a push certificate" : topics.joined(separator: ", ")
    }

    private var state: String {
        switch validity {
        case .valid: isOurs ? "valid, not revoked" : "valid"
        case .notYetValid: "not valid yet"
        case .expired: "expired; issue a new one, device tokens stay as they are"
        case .revoked(let date): "revoked on \(date.formatted(.iso8601))"
        }
    }
}
