package import Foundation
package import PushModel

/// The answers of APNs to a credential: the latest for each environment and topic, at most ``most``.
///
/// They settle what nobody has stated: Apple issues keys for one environment or both, and for all topics or some, and the file of a
/// key does not say which.
package struct KnownAnswers: Hashable, Sendable {
    /// The maximum number of answers that are kept; the oldest are dropped.
    package static let most = 32

    package struct Answer: Hashable, Sendable {
        package var environment: APNSEnvironment
        package var topic: String
        /// The reason of a refusal; nil if APNs accepted the credential.
        package var reason: APNSReason?
        package var at: Date

        package init(environment: APNSEnvironment, topic: String, reason: APNSReason?, at: Date) {
            self.environment = environment
            self.topic = topic
            self.reason = reason
            self.at = at
        }

        /// Whether the credential is not made for the environment at all.
        var concernsEnvironment: Bool { reason == .badEnvironmentKeyInToken || reason == .badCertificateEnvironment }
    }

    /// The latest last.
    package private(set) var list: [Answer]

    package init(_ list: [Answer] = []) { self.list = list }

    /// Records an answer in place of earlier ones about the same.
    ///
    /// - Returns: whether the credential is for something else now than it was taken for.
    @discardableResult
    package mutating func record(_ answer: Answer) -> Bool {
        let before = refusal(for: answer.topic, in: answer.environment)
        list.removeAll { other in
            guard other.environment == answer.environment else { return false }
            // What is accepted for one topic is made for the environment.
            return other.topic == answer.topic || (answer.reason == nil && other.concernsEnvironment)
        }
        list.append(answer)
        list.removeFirst(max(list.count - Self.most, 0))
        return before?.reason != refusal(for: answer.topic, in: answer.environment)?.reason
    }

    /// Returns the answer that says the credential is not made for a topic in an environment; nil if none does.
    package func refusal(for topic: String, in environment: APNSEnvironment) -> Answer? {
        list.last { answer in
            guard answer.environment == environment else { return false }
            return answer.concernsEnvironment || (answer.reason == .topicDisallowed && answer.topic == topic)
        }
    }

    /// Whether APNs has accepted the credential for a topic in an environment, and has not refused it since.
    package func isAccepted(for topic: String, in environment: APNSEnvironment) -> Bool {
        let last = list.last { $0.environment == environment && $0.topic == topic }
        return last.map { $0.reason == nil } ?? false
    }

    /// The environments that the credential is not made for.
    package var refusedEnvironments: Set<APNSEnvironment> {
        Set(list.filter(\.concernsEnvironment).map(\.environment))
    }
}

extension APNSReason {
    /// Whether a credential that is refused for it is not made for the environment, or for the topic in it. The credential itself may
    /// be right, and another one may be for them.
    package var concernsScope: Bool {
        [.badEnvironmentKeyInToken, .badCertificateEnvironment, .topicDisallowed].contains(self)
    }
}
