package import Foundation
package import PushModel

/// Developers, their apps, and those apps' certificates.
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

    func certificates() async throws -> [SealedCertificate]
    func certificate(of app: App.ID, _ environment: APNSEnvironment) async throws -> SealedCertificate?
    /// Replaces certificates of an app, sets the app's bundle id to theirs, and lifts its pauses, in one transaction.
    ///
    /// - Returns: the app afterwards.
    func setCertificates(_ certificates: [SealedCertificate], of app: App.ID, bundleID: String) async throws -> App
    /// Stores the smallest number of days before expiry at which a warning about a certificate was logged.
    func warned(of certificate: SealedCertificate, days: Int) async throws
}

/// An account that creates apps through the Admin API.
package struct Developer: Hashable, Sendable, Identifiable {
    package typealias ID = Int64

    package var id: ID
    /// 24 letters or digits.
    package var key: AppKey
    package var secretHash: SecretHash
    package var name: String
    package var isEnabled: Bool
    package var createdAt: Date

    package init(
        id: ID,
        key: AppKey,
        secretHash: SecretHash,
        name: String,
        isEnabled: Bool = true,
        createdAt: Date
    ) {
        self.id = id
        self.key = key
        self.secretHash = secretHash
        self.name = name
        self.isEnabled = isEnabled
        self.createdAt = createdAt
    }
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

/// A certificate of an app with its key, as stored on disk.
package struct SealedCertificate: Hashable, Sendable {
    package var app: App.ID
    package var environment: APNSEnvironment
    /// The file and its passphrase.
    package var sealed: [UInt8]
    package var topic: String
    package var notAfter: Date
    /// Identifies the certificate without opening it.
    package var fingerprint: [UInt8]
    /// The number of days before expiry at the last warning; nil before the first.
    package var warnedDays: Int?

    package init(
        app: App.ID,
        environment: APNSEnvironment,
        sealed: [UInt8],
        topic: String,
        notAfter: Date,
        fingerprint: [UInt8],
        warnedDays: Int? = nil
    ) {
        self.app = app
        self.environment = environment
        self.sealed = sealed
        self.topic = topic
        self.notAfter = notAfter
        self.fingerprint = fingerprint
        self.warnedDays = warnedDays
    }
}
