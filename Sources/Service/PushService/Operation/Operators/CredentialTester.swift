package import Foundation
package import PushModel

/// Tries credentials at APNs or a gateway.
package protocol CredentialTester: Sendable {
    /// Sends a push to a device token that no device has. Nothing is delivered.
    func test(_ trial: CredentialTrial) async -> CredentialTest
    /// Must be called after a change of an app's credentials: the next push uses the new ones.
    func credentialsChanged(of app: App.ID) async
}

/// A trial of a credential of an app, with a push to a topic in an environment.
package struct CredentialTrial: Hashable, Sendable {
    package var app: App
    package var environment: APNSEnvironment
    package var topic = TopicKind.notification
    /// Nil for the one that sends such pushes.
    package var credential: SealedCredential.ID?
}

/// The answer of APNs to a trial.
package struct CredentialTest: Hashable, Sendable {
    package var environment: APNSEnvironment
    /// Whether APNs accepted the credential for the app's topic.
    package var isAccepted: Bool
    /// The status and reason; nil without an answer.
    package var status: Int?
    package var reason: APNSReason?
    /// The `Date` of the answer; nil without one.
    package var date: Date?
    /// The topics of the certificate; nil for a key, which has none of its own, and without a credential.
    package var topics: [String]?
    /// The finding and, if APNs refuses, the reason's advice.
    package var remarks: [Remark]

    package init(
        environment: APNSEnvironment,
        isAccepted: Bool,
        status: Int? = nil,
        reason: APNSReason? = nil,
        date: Date? = nil,
        topics: [String]? = nil,
        remarks: [Remark] = []
    ) {
        self.environment = environment
        self.isAccepted = isAccepted
        self.status = status
        self.reason = reason
        self.date = date
        self.topics = topics
        self.remarks = remarks
    }

    /// Whether APNs could not judge the credential at this time.
    var isTemporary: Bool {
        guard !isAccepted, let status, let reason else { return false }
        return reason.advice(status: status).action == .retry
    }
}
