import APNSGateway
import APNSProvider
import AppleDeveloper
import Foundation
import PushModel
import UIKit

/// Push certificates of one app, each with its key as a `.p12`, as exported from Keychain Access.
struct PushCertificateFiles: Sendable {
    /// The password of all files.
    static let password = "posthorn"

    /// A certificate for each environment.
    let files: [APNSEnvironment: Data]

    /// Issues the certificates.
    ///
    /// - Parameters:
    ///   - appID: the App ID, with push.
    ///   - authority: the issuer.
    ///   - date: the beginning of their validity.
    /// - Throws: an error if the authority is not the gateway's own.
    init(of appID: AppID, by authority: GatewayAuthority, at date: Date) throws {
        var random = SystemRandomNumberGenerator()
        var files: [APNSEnvironment: Data] = [:]
        for environment in APNSEnvironment.allCases {
            let order = GatewayAuthority.PushOrder(
                appID: appID,
                teamID: GatewayNode.teamID,
                environments: [environment]
            )
            let key = try CertificateKey()
            let bundle = try PKCS12Bundle(try authority.issue(order, to: key.publicKey, at: date), key: key)
            files[environment] = Data(try bundle.encoded(password: Self.password, using: &random))
        }
        self.files = files
    }

    /// Writes `development.p12` and `production.p12`, readable only by their owner.
    ///
    /// - Parameter folder: the path of an existing folder.
    /// - Returns: the paths of the files.
    /// - Throws: an error if a file cannot be written.
    func write(to folder: String) throws -> [APNSEnvironment: String] {
        var paths: [APNSEnvironment: String] = [:]
        for (environment, file) in files {
            let path = DataFolder.path(of: "\(environment).p12", in: folder)
            try PrivateFile.write(file, to: path)
            paths[environment] = path
        }
        return paths
    }
}

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

/// An app that only asks for permission and for a device token.
final class BuiltApp: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
        application.registerForRemoteNotifications()
        return true
    }
}
