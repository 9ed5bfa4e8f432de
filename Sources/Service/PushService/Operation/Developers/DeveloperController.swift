import PushClock
package import PushModel

/// Creates and deletes the apps of developers, and stores their certificates.
///
/// Source: JPush REST API, "Admin API v1".
package struct DeveloperController: Sendable {
    package let store: any AppStore & DeveloperStore & CredentialStore & DeviceStore
    let registry: Registry
    let vault: CredentialVault
    let inspector: any CredentialInspector
    let notifier: CredentialChangeNotifier
    let clock: any CivilClock

    package struct MadeApp: Sendable {
        package var app: App
        package var masterSecret: String
        package var package: String
        package var isNew: Bool
    }

    /// Creates an app, or returns the developer's existing app with this package.
    package func create(_ draft: AppDraft, for developer: Developer) async throws -> MadeApp {
        let minted = MintedKey { AppKey($0) }
        let app = App(
            id: 0,
            key: minted.key,
            secretHash: minted.secretHash,
            name: draft.name,
            bundleID: draft.package,
            defaultEnvironment: .production,
            createdAt: clock.date
        )
        let owned = OwnedApp(
            developer: developer.id,
            package: draft.package,
            group: draft.group,
            sealedSecret: try vault.seal.seal(Array(minted.secret.utf8), at: .masterSecret(minted.key))
        )
        let made = try await store.createApp(app, owned)
        registry.apply(made.app)
        let opened = try vault.seal.open(made.owned.sealedSecret, at: .masterSecret(made.app.key))
        return MadeApp(
            app: made.app,
            masterSecret: String(decoding: opened, as: UTF8.self),
            package: made.owned.package,
            isNew: made.isNew
        )
    }

    /// Deletes an app, which is unusable from then on; its data is deleted gradually.
    ///
    /// - Throws: 1013 for an app that is not the developer's, 1015 for one that was already deleted.
    package func delete(_ key: String, of developer: Developer) async throws {
        let (app, isDeleted) = try await owned(key, by: developer)
        guard !isDeleted else { throw JPushError.appDeletionFailed("The app '\(key)' was already deleted.") }
        try await store.deleteApp(app.id, at: clock.date)
        registry.remove(app)
    }

    func owned(_ key: String, by developer: Developer) async throws -> (app: App, isDeleted: Bool) {
        guard let appKey = AppKey(key), let found = try await store.ownedApp(appKey, of: developer.id) else {
            throw JPushError.adminAppKeyIllegal(key)
        }
        return found
    }
}
