package import PushModel

/// The environments to which apps can push, and the apps that cannot.
package protocol CredentialEnvironments: Sendable {
    /// Returns the environments for which some app has a credential.
    func credentialEnvironments() async throws -> Set<APNSEnvironment>
    /// Returns the number of apps whose pushes are paused, by what is paused and why.
    func pauseCounts() async throws -> [PauseCount]
}

/// The number of apps whose pushes to a kind of topic in an environment are paused for the same reason.
package struct PauseCount: Hashable, Sendable {
    package var environment: APNSEnvironment
    package var topic: TopicKind
    package var reason: PauseReason
    package var apps: Int

    package init(environment: APNSEnvironment, topic: TopicKind, reason: PauseReason, apps: Int) {
        self.environment = environment
        self.topic = topic
        self.reason = reason
        self.apps = apps
    }
}

/// The apps' sets of credentials, whose secrets are stored sealed.
package protocol CredentialStore: Sendable {
    /// Returns an app's credentials, the oldest first.
    func credentials(of app: App.ID) async throws -> [SealedCredential]
    /// Returns the credentials of all apps, by app, the oldest first.
    func credentials() async throws -> [SealedCredential]
    /// Changes an app's set in one transaction, and lifts the app's pauses, which may have been those of its last credential.
    ///
    /// - Returns: the result; nothing is changed if one of the credentials to remove or to narrow is not the app's.
    /// - Throws: ``TooManyCredentials``.
    func change(_ change: CredentialChange, of app: App.ID) async throws -> CredentialChangeResult
    /// Records what APNs has answered to a credential; ignored if it is gone.
    func record(_ answers: [KnownAnswers.Answer], of credential: SealedCredential.ID, app: App.ID) async throws
    /// Stores the smallest number of days before expiry at which a warning about a certificate was logged.
    func warned(of certificate: SealedCredential.ID, days: Int) async throws
    /// Returns the pauses of an app's pushes.
    func pauses(of app: App.ID) async throws -> [Destination: Pause]
}

/// A change of an app's set of credentials.
package struct CredentialChange: Hashable, Sendable {
    /// The new ones; their ids are assigned.
    package var add: [SealedCredential] = []
    package var remove: Set<SealedCredential.ID> = []
    /// The environments that others are used for from now on.
    package var narrow: [SealedCredential.ID: Set<APNSEnvironment>] = [:]
    /// The bundle id that the app takes on; nil to keep its own.
    package var bundleID: String?

    package init(add: [SealedCredential] = [], remove: Set<SealedCredential.ID> = []) {
        self.add = add
        self.remove = remove
    }
}

package struct CredentialChangeResult: Hashable, Sendable {
    /// The app afterwards.
    package var app: App
    /// The ids of the new credentials, in order.
    package var added: [SealedCredential.ID]
    /// The credentials to remove or to narrow that are not the app's, in ascending order.
    package var unknown: [SealedCredential.ID]

    package init(app: App, added: [SealedCredential.ID], unknown: [SealedCredential.ID] = []) {
        self.app = app
        self.added = added
        self.unknown = unknown
    }
}

/// The error for a credential that an app has no room for.
package struct TooManyCredentials: Error, CustomStringConvertible {
    package init() {}

    package var description: String {
        "An app has at most \(SealedCredential.most) credentials; remove one that is no longer used."
    }
}
