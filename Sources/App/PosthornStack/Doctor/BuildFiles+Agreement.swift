import PushModel
import PushService

/// The values that must be the same in all files.
extension BuildFiles {
    private struct Claim {
        var source: String
        var value: String
    }

    private static func list(_ claims: [Claim]) -> String {
        claims.map { "\($0.source) '\($0.value)'" }.joined(separator: ", ")
    }

    private func claim(_ source: String, _ value: String?) -> Claim? {
        // Xcode replaces variables in the source of a plist when it builds.
        value.flatMap { $0.contains("$(") || $0.isEmpty ? nil : Claim(source: source, value: $0) }
    }

    private var readCertificate: InspectedCertificate? { try? certificate?.get() }

    /// The identifiers of the app, without the team.
    var bundleIDs: Finding? {
        let identifier = entitlements?["application-identifier"]?.string.map { text in
            text.contains("$(") ? text : String(text.drop { $0 != "." }.dropFirst())
        }
        let claims = [
            claim("Info.plist", info?["CFBundleIdentifier"]?.string), claim("entitlements", identifier),
            claim("certificate", readCertificate?.bundleID), claim("app of the service", setting?.bundleID),
        ].compactMap(\.self)
        let all = claims + [claim("profile", profile?.bundleID)].compactMap(\.self)
        guard all.count > 1 else { return nil }
        let isCovered = claims.allSatisfy { one in profile?.covers(one.value) ?? true }
        guard Set(claims.map(\.value)).count <= 1, isCovered else {
            return Finding(
                of: "bundle-id",
                .wrong,
                "The bundle ids differ: \(Self.list(all)).",
                remedy:
                    "A token and a certificate belong to one bundle id, with the same capitals. Use the files of one app."
            )
        }
        return Finding(of: "bundle-id", .ok, "All are for \(all[0].value).")
    }

    /// Build, credential and the app's setting.
    var environments: Finding? {
        let build = profile?.environment ?? entitlements?["aps-environment"]?.string.flatMap(APNSEnvironment.init)
        guard let build else { return nil }
        let asked = entitlements?["aps-environment"]?.string.flatMap(APNSEnvironment.init)
        let source = profile == nil ? "entitlements" : "profile"
        if let certificate = readCertificate, !certificate.environments.contains(build) {
            let others = certificate.environments.map(\.rawValue).sorted().joined(separator: ", ")
            return Finding(
                of: "environment",
                .wrong,
                "The build is \(build) (\(source)), and the certificate is for \(others): APNs refuses with BadCertificateEnvironment "
                    + "or BadDeviceToken.",
                remedy: "Issue a \(build) certificate, or use a .p8 key, which is for both."
            )
        }
        if let setting, setting.environment != build {
            return Finding(
                of: "environment",
                .wrong,
                "The build is \(build) (\(source)), and the app of the service is set to \(setting.environment): its pushes do not "
                    + "reach the build.",
                remedy:
                    "Set the app to \(build) with 'posthorn app set', or send with apns_production: \(build == .production)."
            )
        }
        if let asked, asked != build {
            return Finding(
                of: "environment",
                .warning,
                "The entitlements say \(asked), and the profile says \(build): the profile decides.",
                remedy:
                    "Nothing for an export by Xcode, which writes the profile's value; otherwise sign with a profile for \(asked)."
            )
        }
        guard certificate != nil || key != nil || setting != nil || (profile != nil && asked != nil) else { return nil }
        return Finding(of: "environment", .ok, "All are for \(build).")
    }

    var teams: Finding? {
        let claims = [
            claim("profile", profile?.teamID), claim("certificate", readCertificate?.teamID), claim("key", key?.teamID),
            claim("entitlements", entitlements?["com.apple.developer.team-identifier"]?.string),
        ].compactMap(\.self)
        guard claims.count > 1 else { return nil }
        guard Set(claims.map(\.value)).count == 1 else {
            return Finding(
                of: "team",
                .wrong,
                "The teams differ: \(Self.list(claims)).",
                remedy: "A key and a certificate open only the apps of their own team."
            )
        }
        return Finding(of: "team", .ok, "All are of team \(claims[0].value).")
    }
}

extension ProvisioningProfile {
    /// Whether the profile is for an app.
    fileprivate func covers(_ bundleID: String) -> Bool {
        guard self.bundleID.hasSuffix("*") else { return bundleID == self.bundleID }
        return bundleID.hasPrefix(self.bundleID.dropLast())
    }
}
