/// Stores the apps' credentials, sealed.
package struct CredentialVault: Sendable {
    let store: any CredentialStore
    let seal: CredentialSeal

    package init(store: any CredentialStore, keys: ServiceKeys) {
        self.store = store
        seal = CredentialSeal(keys)
    }

    /// Returns whether the store has sealed credentials or certificates, and none of them opens with this service's keys.
    package func opensNothing(of apps: [App.ID]) async throws -> Bool {
        var sealed: [([UInt8], SealedPlace)] = []
        for app in apps {
            if let credential = try await store.credential(of: app) {
                sealed.append((credential.sealedPrivateKey, .providerKey(app)))
            }
        }
        sealed += try await store.certificates().map { ($0.sealed, .certificate($0.app, $0.environment)) }
        return !sealed.isEmpty && !sealed.contains { (try? seal.open($0, at: $1)) != nil }
    }

    /// Returns the credential of an app; nil if it has none.
    ///
    /// - Throws: if the credential was sealed with another service's secret.
    package func credential(of app: App.ID) async throws -> Credential? {
        guard let sealed = try await store.credential(of: app) else { return nil }
        let key = try seal.open(sealed.sealedPrivateKey, at: .providerKey(app))
        return Credential(keyID: sealed.keyID, teamID: sealed.teamID, privateKey: String(decoding: key, as: UTF8.self))
    }

    /// Replaces the app's credential; pushes that wait for one are sent.
    package func set(_ credential: Credential, of app: App.ID) async throws {
        let sealed = SealedCredential(
            keyID: credential.keyID,
            teamID: credential.teamID,
            sealedPrivateKey: try seal.seal(Array(credential.privateKey.utf8), at: .providerKey(app))
        )
        try await store.setCredential(sealed, of: app)
    }
}
