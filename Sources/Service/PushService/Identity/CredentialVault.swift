import PushModel

/// Keeps the apps' credentials, sealed.
package struct CredentialVault: Sendable {
    let store: any PushStore
    let seal: CredentialSeal

    package init(store: any PushStore, keys: ServiceKeys) {
        self.store = store
        seal = CredentialSeal(keys)
    }

    /// Binds what earlier versions have sealed to its place. To be called before anything is opened; does nothing from the second time
    /// on.
    ///
    /// What does not open under this service's secret stays as it is, and opens nowhere.
    package func bindSeals() async throws {
        try await store.bindSeals { [seal] sealed, place in try? seal.bind(sealed, to: place) }
    }

    /// Nil if the app has none.
    ///
    /// - Throws: when what is stored was sealed under another service's secret.
    package func credential(of app: App.ID) async throws -> Credential? {
        guard let sealed = try await store.credential(of: app) else { return nil }
        let key = try seal.open(sealed.sealedPrivateKey, at: .providerKey(app))
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
            sealedPrivateKey: try seal.seal(Array(credential.privateKey.utf8), at: .providerKey(app))
        )
        try await store.setCredential(sealed, of: app)
    }
}
