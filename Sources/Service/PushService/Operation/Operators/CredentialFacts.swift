import Foundation
import PushModel

/// The credentials of an app as operators see them: what each is for, and what APNs has said of it.
struct CredentialFacts {
    let set: CredentialSet
    let pauses: [Destination: Pause]
    let now: Date

    var answer: CredentialsAnswer {
        let verdict = verdict
        return CredentialsAnswer(
            credentials: set.credentials.map(answer),
            choices: choices,
            verdict: verdict.found,
            verdictRemarks: verdict
        )
    }

    /// The credential of each environment and topic.
    var choices: [CredentialChoiceAnswer] {
        CredentialSet.destinations(of: set.app).map { destination in
            CredentialChoiceAnswer(
                environment: destination.environment,
                topic: destination.topic.topic(of: set.app.bundleID),
                credential: choice(for: destination)?.id,
                refused: refusal(of: destination)
            )
        }
    }

    func choice(for destination: Destination) -> SealedCredential? {
        set.choice(for: destination.topic, in: destination.environment, at: now)
    }

    func answer(_ credential: SealedCredential) -> CredentialAnswer {
        let uses = set.uses(of: credential.id, at: now)
        let warning = warning(about: credential)
        let refusals = uses.compactMap { destination in
            refusal(of: destination).map { "\($0) in \(destination.environment)" }
        }
        return CredentialAnswer(
            id: credential.id,
            kind: credential.kind,
            origin: credential.origin,
            keyID: credential.key?.id,
            teamID: credential.key?.teamID,
            environments: credential.environments.sorted { $0.rawValue < $1.rawValue },
            topics: credential.scope.topics,
            topic: credential.certificate?.bundleID,
            notAfter: credential.certificate?.notAfter,
            daysLeft: credential.certificate.map { Self.daysLeft($0.notAfter, at: now) },
            addedAt: credential.addedAt,
            used: !uses.isEmpty,
            warning: warning?.found,
            warningRemarks: [warning].compactMap(\.self),
            refused: refusals.isEmpty ? nil : Set(refusals).sorted().joined(separator: ", "),
            answers: credential.answers.list.map(KnownAnswerFacts.init)
        )
    }

    /// Returns the reason for which APNs refuses the pushes of a destination; nil if it is not known to.
    func refusal(of destination: Destination) -> String? {
        if let pause = pauses[destination], [.credentialRefused, .credentialScope].contains(pause.reason) {
            return pause.detail
        }
        let topic = destination.topic.topic(of: set.app.bundleID)
        return choice(for: destination)?.answers.refusal(for: topic, in: destination.environment)?.reason?.rawValue
    }

    /// A remark about a certificate that ends within ``CertificateWatch/days``; nil before, and for one that is not used.
    func warning(about credential: SealedCredential) -> Remark? {
        guard let end = credential.certificate?.notAfter, !set.uses(of: credential.id, at: now).isEmpty,
            CertificateWatch.reached(end, at: now) != nil
        else { return nil }
        return end > now
            ? Remark(.warningEnding, ["days": Self.daysLeft(end, at: now)])
            : Remark(.warningExpired, ["date": end.formatted(.iso8601)])
    }

    /// Whole days until a date; 0 if less than one is left, negative after it.
    static func daysLeft(_ end: Date, at now: Date) -> Int { Int((end.timeIntervalSince(now) / 86_400).rounded(.down)) }
}

// The environments and topics that an app can push to, in a remark each.
extension CredentialFacts {
    var verdict: [Remark] {
        guard !set.credentials.isEmpty else {
            let missing = APNSEnvironment.allCases.map { Remark(.verdictNone, ["environment": $0.rawValue]) }
            return missing + [Remark(.verdictToAdd)]
        }
        let remarks: [Remark]
        if let key = keyOfBoth {
            remarks = [Remark(.verdictKey, ["key": key.id, "team": key.teamID])]
        } else {
            remarks = APNSEnvironment.allCases.flatMap(verdict)
        }
        return remarks + refusals + topics + unused
    }

    /// The key that sends notifications in both environments; nil if one key does not.
    private var keyOfBoth: SealedCredential.Key? {
        let chosen = APNSEnvironment.allCases.map { notification(in: $0) }
        guard let first = chosen.first?.flatMap(\.self), chosen.allSatisfy({ $0?.id == first.id }),
            APNSEnvironment.allCases.allSatisfy({ scopeRefusal(in: $0) == nil })
        else { return nil }
        return first.key
    }

    private func notification(in environment: APNSEnvironment) -> SealedCredential? {
        set.choice(in: environment, at: now)
    }

    /// The reason for which the credential of notifications is not made for an environment; nil if it may be.
    private func scopeRefusal(in environment: APNSEnvironment) -> APNSReason? {
        notification(in: environment)?.answers.refusal(for: set.app.bundleID, in: environment)?.reason
    }

    private func verdict(on environment: APNSEnvironment) -> [Remark] {
        guard let credential = notification(in: environment) else {
            return [Remark(.verdictNone, ["environment": environment.rawValue])]
        }
        if let reason = scopeRefusal(in: environment) {
            let values = [
                "environment": environment.rawValue, "credential": credential.name, "reason": reason.rawValue,
            ]
            return [Remark(.verdictNotMade, values)]
        }
        switch credential.content {
        case .key(let key):
            let values = ["environment": environment.rawValue, "key": key.id, "team": key.teamID]
            return [Remark(.verdictKeyOfOne, values)]
        case .certificate(let certificate):
            let end = certificate.notAfter
            guard end > now else {
                return [
                    Remark(.verdictExpired, ["environment": environment.rawValue, "date": end.formatted(.iso8601)])
                ]
            }
            let code: Remark.Code = warning(about: credential) == nil ? .verdictCertificate : .verdictCertificateEnding
            return [Remark(code, ["environment": environment.rawValue, "days": Self.daysLeft(end, at: now)])]
        }
    }

    /// The refusals that are more than a wrong scope, by environment.
    private var refusals: [Remark] {
        APNSEnvironment.allCases.compactMap { environment in
            let destination = Destination(app: set.app.id, environment: environment)
            guard let pause = pauses[destination], pause.reason == .credentialRefused,
                scopeRefusal(in: environment) == nil
            else { return nil }
            return Remark(.verdictRefused, ["environment": environment.rawValue, "reason": pause.detail])
        }
    }

    /// The topics of calls and Live Activities, where another credential than that of notifications sends them, or none.
    var topics: [Remark] {
        CredentialSet.destinations(of: set.app).compactMap { destination in
            guard destination.topic != .notification else { return nil }
            let chosen = choice(for: destination)
            let topic = destination.topic.topic(of: set.app.bundleID)
            let values = ["environment": destination.environment.rawValue, "topic": topic]
            if let reason = refusal(of: destination), scopeRefusal(in: destination.environment) == nil {
                return Remark(.verdictTopicRefused, values.merging(["reason": reason]) { $1 })
            }
            guard chosen?.id != notification(in: destination.environment)?.id else { return nil }
            guard let chosen else { return Remark(.verdictTopicNone, values) }
            return Remark(.verdictTopic, values.merging(["credential": chosen.name]) { $1 })
        }
    }

    /// The credentials that send nothing.
    private var unused: [Remark] {
        let rest = set.credentials.filter { set.uses(of: $0.id, at: now).isEmpty }
        guard !rest.isEmpty else { return [] }
        if rest.allSatisfy({ $0.certificate != nil }), keyOfBoth != nil { return [Remark(.verdictKeyFirst)] }
        return [Remark(.verdictUnused, ["credentials": rest.map(\.name).joined(separator: ", ")])]
    }
}

extension SealedCredential {
    /// The name by which people tell credentials apart: the id, and the key or the bundle id, as in "3 (ABC123DEFG)".
    package var name: String {
        switch content {
        case .key(let key): "\(id) (\(key.id))"
        case .certificate(let certificate): "\(id) (\(certificate.bundleID))"
        }
    }
}
