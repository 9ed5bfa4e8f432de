package import Foundation
package import PushModel

/// A credential of an app as an operator sees it; a key has other members than a certificate.
package struct CredentialAnswer: Codable, Sendable {
    package let id: SealedCredential.ID
    package let kind: CredentialKind
    package let origin: CredentialOrigin
    package var keyID: String?
    package var teamID: String?
    /// The environments that it is used in, without those for which APNs says that it is not made.
    package let environments: [APNSEnvironment]
    /// The topics that it is used for; null for all of its team, or all that the certificate names.
    @OrNull package var topics: [String]?
    package var topic: String?
    package var notAfter: Date?
    package var daysLeft: Int?
    package let addedAt: Date
    /// Whether pushes go out with it; another one may go first everywhere.
    package let used: Bool
    @OrNull package var warning: String?
    let warningRemarks: [Remark]
    /// The refusal by APNs of pushes that go out with it.
    @OrNull package var refused: String?
    /// The answers of APNs to it, the latest last.
    package let answers: [KnownAnswerFacts]
}

/// An answer of APNs to a credential.
package struct KnownAnswerFacts: Codable, Sendable {
    package let environment: APNSEnvironment
    package let topic: String
    package let accepted: Bool
    /// The reason of a refusal.
    @OrNull package var reason: String?
    package let at: Date

    init(_ answer: KnownAnswers.Answer) {
        environment = answer.environment
        topic = answer.topic
        accepted = answer.reason == nil
        reason = answer.reason?.rawValue
        at = answer.at
    }
}

/// The credential that sends the pushes to a topic in an environment.
package struct CredentialChoiceAnswer: Codable, Sendable {
    package let environment: APNSEnvironment
    package let topic: String
    /// The id of the credential; null if none is for it.
    @OrNull package var credential: SealedCredential.ID?
    /// The reason for which APNs refuses it there.
    @OrNull package var refused: String?
}

/// The credentials of an app, the oldest first, and what they are good for.
package struct CredentialsAnswer: Codable, Sendable {
    package let credentials: [CredentialAnswer]
    /// The credential of each environment and topic.
    package let choices: [CredentialChoiceAnswer]
    package let verdict: String
    let verdictRemarks: [Remark]
}

/// The app that an answer is about.
package struct AppNameAnswer: Codable, Sendable {
    package let app: String
    package let bundleID: String

    init(_ app: App) {
        self.app = app.key.text
        bundleID = app.bundleID
    }
}

package typealias AppCredentialsAnswer = Both<AppNameAnswer, CredentialsAnswer>

package struct CredentialListAnswer: Codable, Sendable {
    package let credentials: [Both<CredentialAnswer, AppNameAnswer>]
}

/// A key or certificate as it was read from a file; a key has other members than a certificate.
package struct CredentialFileAnswer: Codable, Sendable {
    /// The names of the file's certificates that the app does not use.
    package var leftOut: [String]?
    package let kind: CredentialKind
    package var keyID: String?
    /// Nil for a key.
    package var commonName: OrNull<String>?
    @OrNull package var teamID: String?
    package var topics: [String]?
    package var environments: [String]?
    package var notBefore: Date?
    package var notAfter: Date?
    package var daysLeft: Int?

    init(_ key: Credential) {
        kind = .p8
        keyID = key.keyID
        teamID = key.teamID
    }

    init(_ certificate: InspectedCertificate, leftOut: [String]) {
        kind = .certificate
        self.leftOut = leftOut
        commonName = OrNull(wrappedValue: certificate.commonName)
        teamID = certificate.teamID
        topics = certificate.topics
        environments = certificate.environments.map(\.rawValue).sorted()
        notBefore = certificate.notBefore
        notAfter = certificate.notAfter
    }
}

package struct AddedCredentialAnswer: Codable, Sendable {
    /// The id of the new credential.
    package let id: SealedCredential.ID
    package let added: CredentialFileAnswer
    @OrNull package var note: String?
    let noteRemarks: [Remark]
}

package typealias AddedCredential = Both<AppCredentialsAnswer, AddedCredentialAnswer>

/// The content of a file, and whether the app could use it.
package struct InspectedFileAnswer: Codable, Sendable {
    let read: CredentialFileAnswer
    let usable: Bool
    @OrNull var reason: UnusableCredential?
    @OrNull var problem: String?
    var problemRemarks: [Remark]?
}

/// The answers of APNs to an app's credentials.
package struct CredentialTestsAnswer: Codable, Sendable {
    package struct Result: Codable, Sendable {
        package let environment: APNSEnvironment
        package let topic: String
        /// The id of the credential that was tried; null if there is none for the topic in the environment.
        @OrNull package var credential: SealedCredential.ID?
        package var keyID: String?
        package let accepted: Bool
        @OrNull var status: Int?
        @OrNull var reason: String?
        @OrNull package var topics: [String]?
        /// Whether APNs could not judge the credential at this time.
        package let temporary: Bool
        package let finding: String
        let findingRemarks: [Remark]

        init(_ test: CredentialTest, of credential: SealedCredential?, topic: String) {
            self.topic = topic
            self.credential = credential?.id
            keyID = credential?.key?.id
            environment = test.environment
            accepted = test.isAccepted
            status = test.status
            reason = test.reason?.rawValue
            topics = test.topics
            temporary = test.isTemporary
            finding = test.remarks.found
            findingRemarks = test.remarks
        }
    }

    package let results: [Result]
}
