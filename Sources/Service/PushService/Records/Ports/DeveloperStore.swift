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
    /// Deletes a developer. The apps stay, as apps of nobody. Its key and its id are never used again.
    ///
    /// - Returns: the number of apps that stay; nil if there was no such developer.
    func deleteDeveloper(_ id: Developer.ID, at date: Date) async throws -> Int?
    /// Creates the app in one transaction, unless the developer already has one with this package.
    ///
    /// - Returns: the app that exists afterwards, and whether it is new.
    func createApp(_ draft: App, _ owned: OwnedApp) async throws -> (app: App, owned: OwnedApp, isNew: Bool)
    /// Returns an app of a developer, including a deleted one.
    func ownedApp(_ key: AppKey, of developer: Developer.ID) async throws -> (app: App, isDeleted: Bool)?
}

/// The ownership of an app by a developer.
package struct OwnedApp: Hashable, Sendable {
    package var developer: Developer.ID
    package var package: String
    package var group: String?
    /// The master secret, which the Admin API returns again when asked for the same package.
    package var sealedSecret: [UInt8]

    package init(developer: Developer.ID, package: String, group: String?, sealedSecret: [UInt8]) {
        self.developer = developer
        self.package = package
        self.group = group
        self.sealedSecret = sealedSecret
    }
}
