package import Foundation
package import PushModel

package enum CredentialKind: String, Codable, Sendable, CaseIterable { case p8, certificate }

/// A credential of an app as an operator sees it; a key has other members than a certificate.
package struct CredentialAnswer: Codable, Sendable {
    package let kind: CredentialKind
    package var keyID: String?
    package var teamID: String?
    package let environments: [APNSEnvironment]
    package var topic: String?
    package var notAfter: Date?
    package var daysLeft: Int?
    /// Whether pushes go out with it: a certificate beside a key does not.
    package let used: Bool
    @OrNull package var warning: String?
    let warningRemarks: [Remark]
    /// The refusal by APNs.
    @OrNull package var refused: String?
}

/// The credentials of an app, and what they are good for.
package struct CredentialsAnswer: Codable, Sendable {
    package let credentials: [CredentialAnswer]
    package let verdict: String
    let verdictRemarks: [Remark]
}

/// The app that an answer is about.
package struct AppNameAnswer: Codable, Sendable {
    package let app: String
    package let bundleID: String

    init(_ app: App) { (self.app, bundleID) = (app.key.text, app.bundleID) }
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

    init(_ key: Credential) { (kind, keyID, teamID) = (.p8, key.keyID, key.teamID) }

    init(_ certificate: InspectedCertificate, leftOut: [String]) {
        (kind, self.leftOut) = (.certificate, leftOut)
        commonName = OrNull(wrappedValue: certificate.commonName)
        (teamID, topics) = (certificate.teamID, certificate.topics)
        environments = certificate.environments.map(\.rawValue).sorted()
        (notBefore, notAfter) = (certificate.notBefore, certificate.notAfter)
    }
}

package struct AddedCredentialAnswer: Codable, Sendable {
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
        package let accepted: Bool
        @OrNull var status: Int?
        @OrNull var reason: String?
        @OrNull package var topics: [String]?
        /// Whether APNs could not judge the credential at this time.
        package let temporary: Bool
        package let finding: String
        let findingRemarks: [Remark]

        init(_ test: CredentialTest) {
            (environment, accepted, status) = (test.environment, test.isAccepted, test.status)
            (reason, topics, temporary) = (test.reason?.rawValue, test.topics, test.isTemporary)
            (finding, findingRemarks) = (test.remarks.found, test.remarks)
        }
    }

    package let results: [Result]
}
