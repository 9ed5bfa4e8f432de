package import Foundation
package import PushModel

package enum CredentialKind: String, Codable, Sendable, CaseIterable { case p8, certificate }

/// A credential of an app as an operator sees it; a key has other members than a certificate.
package struct CredentialAnswer: Codable, Sendable {
    package let kind: CredentialKind
    @Omitted package var keyID: String? = nil
    @Omitted package var teamID: String? = nil
    package let environments: [APNSEnvironment]
    @Omitted package var topic: String? = nil
    @Omitted package var notAfter: Date? = nil
    @Omitted package var daysLeft: Int? = nil
    /// Whether pushes go out with it: a certificate beside a key does not.
    package let used: Bool
    package let warning: String?
    let warningRemarks: [Remark]
    /// The refusal by APNs.
    package let refused: String?
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
    @Omitted package var leftOut: [String]? = nil
    package let kind: CredentialKind
    @Omitted package var keyID: String? = nil
    @Omitted package var commonName: String?? = nil
    package let teamID: String?
    @Omitted package var topics: [String]? = nil
    @Omitted package var environments: [String]? = nil
    @Omitted package var notBefore: Date? = nil
    @Omitted package var notAfter: Date? = nil
    @Omitted package var daysLeft: Int? = nil

    init(_ key: Credential) { (kind, keyID, teamID) = (.p8, key.keyID, key.teamID) }

    init(_ certificate: InspectedCertificate, leftOut: [String]) {
        (kind, self.leftOut, commonName) = (.certificate, leftOut, certificate.commonName)
        (teamID, topics) = (certificate.teamID, certificate.topics)
        environments = certificate.environments.map(\.rawValue).sorted()
        (notBefore, notAfter) = (certificate.notBefore, certificate.notAfter)
    }
}

package struct AddedCredentialAnswer: Codable, Sendable {
    package let added: CredentialFileAnswer
    package let note: String?
    let noteRemarks: [Remark]
}

package typealias AddedCredential = Both<AppCredentialsAnswer, AddedCredentialAnswer>

/// The content of a file, and whether the app could use it.
package struct InspectedFileAnswer: Codable, Sendable {
    let read: CredentialFileAnswer
    let usable: Bool
    let reason: UnusableCredential?
    let problem: String?
    @Omitted var problemRemarks: [Remark]? = nil
}

/// The answers of APNs to an app's credentials.
package struct CredentialTestsAnswer: Codable, Sendable {
    package struct Result: Codable, Sendable {
        package let environment: APNSEnvironment
        package let accepted: Bool
        let status: Int?
        let reason: String?
        package let topics: [String]?
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
