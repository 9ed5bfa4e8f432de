package import Foundation
package import PushModel

/// The environments to which apps can push.
package protocol CredentialEnvironments: Sendable {
    /// Returns the environments for which some app has a credential. A key is for both.
    func credentialEnvironments() async throws -> Set<APNSEnvironment>
}

/// The apps' credentials and certificates, which are stored sealed.
package protocol CredentialStore: Sendable {
    /// Returns the app's credential, which is stored sealed.
    func credential(of app: App.ID) async throws -> SealedCredential?
    /// Replaces the app's credential and lifts its pauses.
    func setCredential(_ credential: SealedCredential, of app: App.ID) async throws
    /// Deletes the app's credential and lifts its pauses, which may have been that credential's; returns false if it has none.
    func removeCredential(of app: App.ID) async throws -> Bool
    /// Deletes the app's certificates for these environments and lifts its pauses; returns false if it has none of them.
    func removeCertificates(of app: App.ID, _ environments: [APNSEnvironment]) async throws -> Bool
    /// Returns the environments in which an app's pushes are paused.
    func pauses(of app: App.ID) async throws -> [APNSEnvironment: Pause]
    func certificates() async throws -> [SealedCertificate]
    func certificate(of app: App.ID, _ environment: APNSEnvironment) async throws -> SealedCertificate?
    /// Replaces certificates of an app, sets the app's bundle id to theirs, and lifts its pauses, in one transaction.
    ///
    /// - Returns: the app afterwards.
    func setCertificates(_ certificates: [SealedCertificate], of app: App.ID, bundleID: String) async throws -> App
    /// Stores the smallest number of days before expiry at which a warning about a certificate was logged.
    func warned(of certificate: SealedCertificate, days: Int) async throws
}

package struct SealedCredential: Hashable, Sendable {
    package var keyID: String
    package var teamID: String
    package var sealedPrivateKey: [UInt8]

    package init(keyID: String, teamID: String, sealedPrivateKey: [UInt8]) {
        (self.keyID, self.teamID, self.sealedPrivateKey) = (keyID, teamID, sealedPrivateKey)
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
        (self.app, self.environment, self.sealed, self.topic) = (app, environment, sealed, topic)
        (self.notAfter, self.fingerprint, self.warnedDays) = (notAfter, fingerprint, warnedDays)
    }
}
