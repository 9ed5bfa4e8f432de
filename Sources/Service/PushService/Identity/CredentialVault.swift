import PushModel

/// Keeps the apps' credentials, sealed.
package struct CredentialVault: Sendable {
    let store: any PushStore
    let seal: CredentialSeal

    package init(store: any PushStore, keys: ServiceKeys) {
        self.store = store
        seal = CredentialSeal(keys)
    }

    /// Nil if the app has none.
    ///
    /// - Throws: when what is stored was sealed under another service's secret.
    package func credential(of app: App.ID) async throws -> Credential? {
        guard let sealed = try await store.credential(of: app) else { return nil }
        let key = try seal.open(sealed.sealedPrivateKey)
        return Credential(
            keyID: sealed.keyID,
            teamID: sealed.teamID,
            privateKey: String(decoding: key, as: UTF8.self)
        )
    }

    /// Replaces the app's credential; pushes that wait for one go out.
    package func set(_ credential: Credential, of app: App.ID) async throws {
        let sealed = SealedCredential(
            keyID: credential.keyID,
            teamID: credential.teamID,
            sealedPrivateKey: try seal.seal(Array(credential.privateKey.utf8))
        )
        try await store.setCredential(sealed, of: app)
    }
}
