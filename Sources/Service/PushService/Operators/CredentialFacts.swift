import Foundation
import PushModel

/// A credential of an app, and whether APNs has refused it.
enum CredentialFacts {
    /// A provider key, which is valid in both environments.
    case key(SealedCredential, pauses: [APNSEnvironment: Pause])
    /// A certificate for one environment; not in use while the app has a key, which goes first.
    case certificate(SealedCertificate, pause: Pause?, isUsed: Bool = true)

    func members(at now: Date) -> JSONObject {
        switch self {
        case .key(let key, let pauses):
            return [
                "kind": "p8", "key_id": .string(key.keyID), "team_id": .string(key.teamID),
                "environments": .array(APNSEnvironment.allCases.map { .string($0.rawValue) }),
                "used": true, "warning": .null,
                "refused": pauses.isEmpty ? .null : .string(Self.refusals(pauses)),
            ]
        case .certificate(let certificate, let pause, let isUsed):
            return [
                "kind": "certificate", "environments": [.string(certificate.environment.rawValue)],
                "topic": .string(certificate.topic),
                "not_after": .string(certificate.notAfter.formatted(.iso8601)),
                "days_left": .integer(Int64(Self.daysLeft(certificate.notAfter, at: now))),
                "used": .bool(isUsed), "warning": warning(at: now).map { .string($0) } ?? .null,
                "refused": pause.map { .string($0.detail) } ?? .null,
            ]
        }
    }

    /// A sentence about a certificate that ends within ``CertificateWatch/days``; nil before, and for one that is not used.
    func warning(at now: Date) -> String? {
        guard case .certificate(let certificate, _, isUsed: true) = self else { return nil }
        let end = certificate.notAfter
        guard CertificateWatch.reached(end, at: now) != nil else { return nil }
        guard end > now else {
            return "The certificate expired on \(end.formatted(.iso8601)), and its pushes wait: \(Self.replacement)."
        }
        return "The certificate ends \(Self.timeLeft(end, at: now)): \(Self.replacement)."
    }

    private static let replacement = "issue a new one and add it"

    /// Returns `in 12 days` and the like, for a date that is not past.
    static func timeLeft(_ end: Date, at now: Date) -> String {
        switch daysLeft(end, at: now) {
        case ..<1: "in less than a day"
        case 1: "in 1 day"
        case let days: "in \(days) days"
        }
    }

    /// Whole days until a date; 0 if less than one is left, negative after it.
    static func daysLeft(_ end: Date, at now: Date) -> Int {
        Int((end.timeIntervalSince(now) / 86_400).rounded(.down))
    }

    /// Returns the environments to which an app can push, in a sentence each.
    static func verdict(_ credentials: [CredentialFacts], at now: Date) -> String {
        for case .key(let key, let pauses) in credentials {
            let name = "key \(key.keyID) of team \(key.teamID)"
            let refused = pauses.isEmpty ? "" : " But APNs refused it: \(refusals(pauses))."
            let unused = credentials.count > 1 ? " The key goes first: the app's certificates are not used." : ""
            return "The app can push to development and production, with \(name).\(refused)\(unused)"
        }
        let sentences = APNSEnvironment.allCases.map { environment in
            credentials.lazy.compactMap { $0.verdict(for: environment, at: now) }.first
                ?? "The app cannot push to \(environment): it has no credential for it."
        }
        return sentences.joined(separator: " ") + (credentials.isEmpty ? " 'posthorn credential add' adds one." : "")
    }

    /// Returns a sentence about a certificate for this environment; nil for any other credential.
    private func verdict(for environment: APNSEnvironment, at now: Date) -> String? {
        guard case .certificate(let certificate, let pause, _) = self, certificate.environment == environment else {
            return nil
        }
        let end = certificate.notAfter
        guard end > now else {
            return "The app cannot push to \(environment): its certificate expired on \(end.formatted(.iso8601)). "
                + "Issue a new one and add it."
        }
        let advice = warning(at: now) == nil ? "" : ": \(Self.replacement)"
        let refused = pause.map { " But APNs refused it: \($0.detail)." } ?? ""
        let left = Self.timeLeft(end, at: now)
        return "The app can push to \(environment); the certificate ends \(left)\(advice).\(refused)"
    }

    private static func refusals(_ pauses: [APNSEnvironment: Pause]) -> String {
        pauses.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value.detail) in \($0.key)" }
            .joined(separator: ", ")
    }
}
