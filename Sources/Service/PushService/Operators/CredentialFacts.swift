import Foundation
import PushModel

/// A credential of an app, and whether APNs has refused it.
enum CredentialFacts {
    /// A provider key, which is valid in both environments.
    case key(SealedCredential, pauses: [APNSEnvironment: Pause])
    /// A certificate for one environment; not in use while the app has a key, which goes first.
    case certificate(SealedCertificate, pause: Pause?, isUsed: Bool = true)

    func answer(at now: Date) -> CredentialAnswer {
        let warning = warning(at: now)
        switch self {
        case .key(let key, let pauses):
            return CredentialAnswer(
                kind: .p8,
                keyID: key.keyID,
                teamID: key.teamID,
                environments: APNSEnvironment.allCases,
                used: true,
                warning: nil,
                warningRemarks: [],
                refused: pauses.isEmpty ? nil : Self.refusals(pauses)
            )
        case .certificate(let certificate, let pause, let isUsed):
            return CredentialAnswer(
                kind: .certificate,
                environments: [certificate.environment],
                topic: certificate.topic,
                notAfter: certificate.notAfter,
                daysLeft: Self.daysLeft(certificate.notAfter, at: now),
                used: isUsed,
                warning: warning?.found,
                warningRemarks: [warning].compactMap(\.self),
                refused: pause?.detail
            )
        }
    }

    /// A remark about a certificate that ends within ``CertificateWatch/days``; nil before, and for one that is not used.
    func warning(at now: Date) -> Remark? {
        guard case .certificate(let certificate, _, isUsed: true) = self else { return nil }
        let end = certificate.notAfter
        guard CertificateWatch.reached(end, at: now) != nil else { return nil }
        return end > now
            ? Remark(.warningEnding, ["days": Self.daysLeft(end, at: now)])
            : Remark(.warningExpired, ["date": end.formatted(.iso8601)])
    }

    /// Whole days until a date; 0 if less than one is left, negative after it.
    static func daysLeft(_ end: Date, at now: Date) -> Int { Int((end.timeIntervalSince(now) / 86_400).rounded(.down)) }

    /// Returns the environments to which an app can push, in a remark each.
    static func verdict(_ credentials: [CredentialFacts], at now: Date) -> [Remark] {
        for case .key(let key, let pauses) in credentials {
            let refused = pauses.sorted { $0.key.rawValue < $1.key.rawValue }.map { refusal($0.value, in: $0.key) }
            return [Remark(.verdictKey, ["key": key.keyID, "team": key.teamID])] + refused
                + (credentials.count > 1 ? [Remark(.verdictKeyFirst)] : [])
        }
        let remarks = APNSEnvironment.allCases.flatMap { environment in
            credentials.lazy.compactMap { $0.verdict(for: environment, at: now) }.first
                ?? [Remark(.verdictNone, ["environment": environment.rawValue])]
        }
        return remarks + (credentials.isEmpty ? [Remark(.verdictToAdd)] : [])
    }

    /// Returns remarks about a certificate for this environment; nil for any other credential.
    private func verdict(for environment: APNSEnvironment, at now: Date) -> [Remark]? {
        guard case .certificate(let certificate, let pause, _) = self, certificate.environment == environment else {
            return nil
        }
        let end = certificate.notAfter
        guard end > now else {
            return [Remark(.verdictExpired, ["environment": environment.rawValue, "date": end.formatted(.iso8601)])]
        }
        let code: Remark.Code = warning(at: now) == nil ? .verdictCertificate : .verdictCertificateEnding
        let found = Remark(code, ["environment": environment.rawValue, "days": Self.daysLeft(end, at: now)])
        return [found] + (pause.map { [Self.refusal($0, in: environment)] } ?? [])
    }

    private static func refusal(_ pause: Pause, in environment: APNSEnvironment) -> Remark {
        Remark(.verdictRefused, ["environment": environment.rawValue, "reason": pause.detail])
    }

    private static func refusals(_ pauses: [APNSEnvironment: Pause]) -> String {
        pauses.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value.detail) in \($0.key)" }
            .joined(separator: ", ")
    }
}
