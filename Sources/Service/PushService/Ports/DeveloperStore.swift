package import Foundation
package import PushModel

/// Developers, the apps that they have made, and those apps' certificates.
package protocol DeveloperStore: Sendable {
    func developers() async throws -> [Developer]
    func developer(_ key: AppKey) async throws -> Developer?
    /// - Throws: ``StoreError/duplicate`` if the key is taken.
    func createDeveloper(_ draft: Developer) async throws -> Developer
    /// - Returns: false if there is none with this key.
    func enableDeveloper(_ key: AppKey, _ isEnabled: Bool) async throws -> Bool

    /// One transaction: makes the app, unless the developer has one with this package already.
    ///
    /// - Returns: the app that is there afterwards, and whether it was made.
    func createApp(_ draft: App, _ owned: OwnedApp) async throws -> (app: App, owned: OwnedApp, isNew: Bool)
    /// The app of a developer, also one that was deleted.
    func ownedApp(_ key: AppKey, of developer: Developer.ID) async throws -> (app: App, isDeleted: Bool)?
    /// One transaction: the app, its schedules, credentials and certificates are gone; what else it has goes bit by bit.
    func deleteApp(_ id: App.ID, at date: Date) async throws

    func certificates() async throws -> [SealedCertificate]
    func certificate(of app: App.ID, _ environment: APNSEnvironment) async throws -> SealedCertificate?
    /// One transaction: replaces certificates of an app, gives it their bundle id, and lifts its pauses.
    ///
    /// - Returns: the app afterwards.
    func setCertificates(_ certificates: [SealedCertificate], of app: App.ID, bundleID: String) async throws -> App
    /// Remembers the smallest number of days before its end at which a person was warned of a certificate.
    func warned(of certificate: SealedCertificate, days: Int) async throws
}

/// Who makes apps over the Admin API.
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

/// What makes an app a developer's own.
package struct OwnedApp: Hashable, Sendable {
    package var developer: Developer.ID
    package var package: String
    package var group: String?
    /// The master secret, which the Admin API tells again when it is asked for the same package.
    package var sealedSecret: [UInt8]

    package init(developer: Developer.ID, package: String, group: String?, sealedSecret: [UInt8]) {
        self.developer = developer
        self.package = package
        self.group = group
        self.sealedSecret = sealedSecret
    }
}

/// A certificate of an app with its key, as it lies on disk.
package struct SealedCertificate: Hashable, Sendable {
    package var app: App.ID
    package var environment: APNSEnvironment
    /// File and pass phrase.
    package var sealed: [UInt8]
    package var topic: String
    package var notAfter: Date
    /// Tells one certificate from another without opening it.
    package var fingerprint: [UInt8]
    /// Days before its end at which a person was warned last; nil if not yet.
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
