package import Foundation
package import PushModel

/// The credentials of an app, and what each is used for.
package struct CredentialSet: Sendable {
    package var app: App
    /// The oldest first.
    package var credentials: [SealedCredential]

    package init(of app: App, _ credentials: [SealedCredential]) {
        self.app = app
        self.credentials = credentials
    }

    /// Returns the credential that sends pushes to a kind of topic; nil if none does.
    package func choice(
        for topic: TopicKind = .notification,
        in environment: APNSEnvironment,
        at now: Date
    ) -> SealedCredential? {
        SealedCredential.choice(among: credentials, for: topic.topic(of: app.bundleID), in: environment, at: now)
    }

    /// Returns what a credential is used for, by environment and topic.
    package func uses(of id: SealedCredential.ID, at now: Date) -> [Destination] {
        Self.destinations(of: app).filter { choice(for: $0.topic, in: $0.environment, at: now)?.id == id }
    }

    /// Returns the certificates that are used, each with an environment that it is used in.
    package func usedCertificates(
        at now: Date
    ) -> [(environment: APNSEnvironment, credential: SealedCredential)] {
        credentials.filter { $0.certificate != nil }.flatMap { credential in
            Set(uses(of: credential.id, at: now).map(\.environment)).sorted { $0.rawValue < $1.rawValue }
                .map { (environment: $0, credential: credential) }
        }
    }

    /// Everything that an app sends to, by environment and topic.
    package static func destinations(of app: App) -> [Destination] {
        APNSEnvironment.allCases.flatMap { environment in
            TopicKind.allCases.map { Destination(app: app.id, environment: environment, topic: $0) }
        }
    }
}
