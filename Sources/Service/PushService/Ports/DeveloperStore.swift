package import Foundation
package import PushModel

/// Developers and their apps.
package protocol DeveloperStore: Sendable {
    func developers() async throws -> [Developer]
    func developer(_ key: AppKey) async throws -> Developer?
    /// Creates a developer.
    ///
    /// - Throws: ``StoreError/duplicate`` if the key is taken.
    func createDeveloper(_ draft: Developer) async throws -> Developer
    /// Enables or disables a developer.
    ///
    /// - Returns: false if there is none with this key.
    func enableDeveloper(_ key: AppKey, _ isEnabled: Bool) async throws -> Bool
    /// Creates the app in one transaction, unless the developer already has one with this package.
    ///
    /// - Returns: the app that exists afterwards, and whether it is new.
    func createApp(_ draft: App, _ owned: OwnedApp) async throws -> (app: App, owned: OwnedApp, isNew: Bool)
    /// Returns an app of a developer, including a deleted one.
    func ownedApp(_ key: AppKey, of developer: Developer.ID) async throws -> (app: App, isDeleted: Bool)?
    /// Deletes the app, its schedules, credentials and certificates in one transaction; its other rows are deleted gradually.
    func deleteApp(_ id: App.ID, at date: Date) async throws
}
