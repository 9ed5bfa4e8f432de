package import Foundation
package import PushModel

// The rule by which one credential of an app sends a push.
extension SealedCredential {
    /// Returns the credential for a topic in an environment; nil if none of them is for both.
    ///
    /// The first of these differences decides:
    /// 1. one that APNs has not refused for the topic in the environment, before one that it has;
    /// 2. a certificate that is valid, or a key, before a certificate that has expired;
    /// 3. one that names the topic, before one that names the bundle id of the topic, before one for all topics;
    /// 4. one for this environment alone, before one for both;
    /// 5. a key before a certificate;
    /// 6. the newest.
    ///
    /// So nothing changes for an app with one credential, and a new key of the same scope takes over at once.
    package static func choice(
        among credentials: [SealedCredential],
        for topic: String,
        in environment: APNSEnvironment,
        at now: Date
    ) -> SealedCredential? {
        credentials.filter { $0.covers(topic, in: environment) }.preferring(
            { $0.answers.refusal(for: topic, in: environment) == nil },
            { $0.certificate.map { $0.notAfter > now } ?? true },
            { $0.fit(of: topic) == .topic },
            { $0.fit(of: topic) == .bundleID },
            { $0.isForOneEnvironment },
            { $0.key != nil }
        ).max { ($0.addedAt, $0.id) < ($1.addedAt, $1.id) }
    }

    /// The environments that it is used in, without those for which APNs says that it is not made.
    package var environments: Set<APNSEnvironment> {
        let rest = scope.environments.subtracting(answers.refusedEnvironments)
        return rest.isEmpty ? scope.environments : rest
    }

    /// Whether it may send pushes to a topic in an environment.
    package func covers(_ topic: String, in environment: APNSEnvironment) -> Bool {
        scope.environments.contains(environment) && fit(of: topic) != nil
    }

    /// Whether somebody has named a single environment, or APNs has said that it is made for no other.
    private var isForOneEnvironment: Bool {
        environments.count == 1 && (scope.namesEnvironments || !answers.refusedEnvironments.isEmpty)
    }

    /// The closeness of a credential to a topic.
    private enum Fit {
        case allTopics
        case bundleID
        case topic
    }

    /// Returns how closely it is made for a topic; nil if it is not for it.
    private func fit(of topic: String) -> Fit? {
        if let certificate, !certificate.names(topic) { return nil }
        guard let topics = scope.topics else { return .allTopics }
        if topics.contains(topic) { return .topic }
        return scope.covers(topic) ? .bundleID : nil
    }

    /// Whether a topic is a bundle id with the suffix of a push type.
    fileprivate static func isTopic(_ topic: String, of bundleID: String) -> Bool {
        APNSPushType.suffixes.contains { topic == bundleID + $0 }
    }
}

extension CredentialScope {
    /// Whether a topic is among its topics, or one of them with the suffix of a push type.
    func covers(_ topic: String) -> Bool {
        guard let topics else { return true }
        return topics.contains(topic) || topics.contains { SealedCredential.isTopic(topic, of: $0) }
    }
}

extension SealedCredential.Certificate {
    /// Whether it may be for a topic. A certificate older than a push type does not name the type's suffix, and APNs decides.
    fileprivate func names(_ topic: String) -> Bool {
        let names = topics ?? [bundleID]
        return names.contains(topic) || names.contains { SealedCredential.isTopic(topic, of: $0) }
    }
}
