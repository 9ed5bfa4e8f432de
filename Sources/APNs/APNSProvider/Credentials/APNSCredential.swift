public import PushModel

/// The credential that a provider presents to APNs: one team's, for one or more of its apps.
///
/// A process may serve any number of teams: each credential has its own ``APNSClient``, and so its own connections,
/// because APNs binds a connection to the team of its first push.
public enum APNSCredential: Sendable {
    /// A signing key: valid for all apps of its team, or for the topics it was created for.
    case key(APNSSigningKey)
    /// A client certificate: valid for the topics that it names.
    case certificate(APNSCertificate)
}

extension APNSCredential {
    var key: APNSSigningKey? { if case .key(let key) = self { key } else { nil } }
    package var certificate: APNSCertificate? {
        if case .certificate(let certificate) = self { certificate } else { nil }
    }
}

extension APNSCredential {
    /// Returns the error with which APNs would refuse a push with this credential, whatever the token; nil if there is none.
    ///
    /// ``APNSClient`` refuses the push for the same reason and sends nothing; this describes it in words.
    public func problem(with push: APNSPush) -> APNSPushProblem? { push.problem ?? problem(topic: push.topic) }

    /// Checks whether a push may have this topic, or none.
    func problem(topic: String?) -> APNSPushProblem? {
        switch self {
        case .key:
            guard topic == nil else { return nil }
            return APNSPushProblem(
                reason: .missingTopic,
                description: "The push has no topic; with a signing key it needs one, which is the app's bundle id."
            )
        case .certificate(let certificate):
            return certificate.problem(topic: topic)
        }
    }
}

extension APNSClient {
    func problem(with push: APNSPush) -> APNSPushProblem? { credential.problem(with: push) }

    /// The same check for one push of a batch.
    func problem(with batch: APNSBatch, at index: Int) -> APNSPushProblem? {
        batch.problem(index) ?? credential.problem(topic: batch.topic(of: index))
    }
}

extension APNSCertificate {
    fileprivate func problem(topic: String?) -> APNSPushProblem? {
        let known = topics.joined(separator: ", ")
        guard let topic else {
            guard topics.count > 1 else { return nil }
            return APNSPushProblem(
                reason: .missingTopic,
                description: "The push has no topic, and the certificate is for several; expected one of \(known)."
            )
        }
        // Suffixes of push types newer than the certificate stand for the app itself.
        if topics.isEmpty || topics.contains(where: { topic == $0 || topic.hasPrefix($0 + ".") }) { return nil }
        return APNSPushProblem(
            reason: .topicDisallowed,
            description: "The topic '\(topic)' is not one of the certificate's: \(known)."
        )
    }
}
