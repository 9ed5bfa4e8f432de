package import Foundation
package import PushModel
package import PushService

// Credentials for tests of the rules around them: their secrets do not open.
extension SealedCredential {
    package static func key(
        of app: App.ID,
        id: String = "ABCDE12345",
        team: String = "TEAM123456",
        scope: CredentialScope = CredentialScope(),
        sealed: [UInt8] = [1],
        at date: Date = Date(timeIntervalSince1970: 0)
    ) -> SealedCredential {
        SealedCredential(app: app, .key(Key(id: id, teamID: team)), scope: scope, sealed: sealed, addedAt: date)
    }

    package static func certificate(
        of app: App.ID,
        for bundleID: String,
        in environments: Set<APNSEnvironment> = [.production],
        endsAt end: Date,
        fingerprint: [UInt8] = [1],
        topics: [String]? = nil,
        origin: CredentialOrigin = .operator,
        at date: Date = Date(timeIntervalSince1970: 0)
    ) -> SealedCredential {
        SealedCredential(
            app: app,
            .certificate(
                Certificate(bundleID: bundleID, topics: topics, notAfter: end, fingerprint: fingerprint)
            ),
            origin: origin,
            scope: CredentialScope(environments: environments),
            sealed: [1],
            addedAt: date
        )
    }
}

extension CredentialStore {
    /// Adds a credential to the set of its app, and returns its id.
    @discardableResult
    package func add(_ credential: SealedCredential) async throws -> SealedCredential.ID {
        try await change(CredentialChange(add: [credential]), of: credential.app).added[0]
    }

    /// Removes a credential of an app; returns false if the app has no such credential.
    package func remove(_ id: SealedCredential.ID, of app: App.ID) async throws -> Bool {
        try await change(CredentialChange(remove: [id]), of: app).unknown.isEmpty
    }
}
