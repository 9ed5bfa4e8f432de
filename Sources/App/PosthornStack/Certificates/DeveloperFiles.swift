import APNSGateway
import APNSProvider
import AppleDeveloper
import Foundation
import PushModel

/// The files a developer downloads from Apple's site, here issued by a gateway's authority.
struct DeveloperFiles: Sendable {
    let appID: AppID
    /// A push certificate and a provisioning profile for each environment.
    let certificates: [APNSEnvironment: APNSCertificate]
    let profiles: [APNSEnvironment: ProvisioningProfile]

    /// - Parameters:
    ///   - bundleID: the App ID's bundle id; push is on.
    ///   - authority: the issuer of the certificates.
    ///   - date: the beginning of their validity.
    /// - Throws: an error if the authority is not the gateway's own.
    init(bundleID: String, authority: GatewayAuthority, at date: Date) throws {
        let appID = try AppID(bundleID: bundleID, hasPush: true)
        var certificates: [APNSEnvironment: APNSCertificate] = [:]
        var profiles: [APNSEnvironment: ProvisioningProfile] = [:]
        for (environment, file) in try PushCertificateFiles(of: appID, by: authority, at: date).files {
            // Read again, as a push service does.
            certificates[environment] = try APNSCertificate(p12: Array(file), passPhrase: PushCertificateFiles.password)
            profiles[environment] = ProvisioningProfile(
                name: "\(bundleID) \(environment.rawValue)",
                id: UUID(),
                teamID: GatewayNode.teamID,
                bundleID: bundleID,
                environment: environment,
                created: date,
                expires: date.addingTimeInterval(365 * 86_400)
            )
        }
        self.appID = appID
        self.certificates = certificates
        self.profiles = profiles
    }
}
