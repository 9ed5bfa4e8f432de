import Foundation
import PushModel

/// A credential of an app, and whether APNs has refused it.
enum CredentialFacts {
    /// A provider key, which is valid in both environments.
    case key(SealedCredential, pauses: [APNSEnvironment: Pause])
    case certificate(SealedCertificate, pause: Pause?)

    func members(at now: Date) -> JSONObject {
        switch self {
        case .key(let key, let pauses):
            return [
                "kind": "p8", "key_id": .string(key.keyID), "team_id": .string(key.teamID),
                "environments": .array(APNSEnvironment.allCases.map { .string($0.rawValue) }),
                "refused": pauses.isEmpty ? .null : .string(Self.refusals(pauses)),
            ]
        case .certificate(let certificate, let pause):
            return [
                "kind": "certificate", "environments": [.string(certificate.environment.rawValue)],
                "topic": .string(certificate.topic),
                "not_after": .string(certificate.notAfter.formatted(.iso8601)),
                "days_left": .integer(Int64(Self.daysLeft(certificate.notAfter, at: now))),
                "refused": pause.map { .string($0.detail) } ?? .null,
            ]
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
            return "The app can push to development and production, with \(name).\(refused)"
        }
        let sentences = APNSEnvironment.allCases.map { environment in
            for case .certificate(let certificate, let pause) in credentials
            where certificate.environment == environment {
                let days = daysLeft(certificate.notAfter, at: now)
                if certificate.notAfter <= now {
                    return "The app cannot push to \(environment): its certificate expired on "
                        + "\(certificate.notAfter.formatted(.iso8601))."
                }
                let end = days == 1 ? "in 1 day" : "in \(days) days"
                let refused = pause.map { " But APNs refused it: \($0.detail)." } ?? ""
                return "The app can push to \(environment); the certificate ends \(end).\(refused)"
            }
            return "The app cannot push to \(environment): it has no credential for it."
        }
        let isEmpty = credentials.isEmpty
        return sentences.joined(separator: " ") + (isEmpty ? " 'posthorn credential add' adds one." : "")
    }

    private static func refusals(_ pauses: [APNSEnvironment: Pause]) -> String {
        pauses.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value.detail) in \($0.key)" }
            .joined(separator: ", ")
    }
}
