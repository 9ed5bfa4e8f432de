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
        var random = SystemRandomNumberGenerator()
        var certificates: [APNSEnvironment: APNSCertificate] = [:]
        var profiles: [APNSEnvironment: ProvisioningProfile] = [:]
        for environment in APNSEnvironment.allCases {
            let order = GatewayAuthority.PushOrder(
                appID: appID,
                teamID: GatewayNode.teamID,
                environments: [environment]
            )
            // Exported as .p12 and read again, as from Keychain Access to a push service.
            let key = try CertificateKey()
            let bundle = try PKCS12Bundle(try authority.issue(order, to: key, at: date), key: key)
            let password = "posthorn"
            certificates[environment] = try APNSCertificate(
                p12: try bundle.encoded(password: password, using: &random),
                passPhrase: password
            )
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
