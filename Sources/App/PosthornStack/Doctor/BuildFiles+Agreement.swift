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
        let isCovered = claims.allSatisfy { one in profile?.isFor(one.value) ?? true }
        guard Set(claims.map(\.value)).count <= 1, isCovered else {
            return Finding(of: "bundle-id", .wrong, .bundleIDsDiffer, with: ["list": Self.list(all)])
        }
        return Finding(of: "bundle-id", .ok, .bundleIDsAgree, with: ["bundleID": all[0].value])
    }

    /// Build, credential and the app's setting.
    var environments: Finding? {
        let build = profile?.environment ?? entitlements?["aps-environment"]?.string.flatMap(APNSEnvironment.init)
        guard let build else { return nil }
        let asked = entitlements?["aps-environment"]?.string.flatMap(APNSEnvironment.init)
        var values: [String: any CustomStringConvertible] = [
            "environment": build.rawValue, "source": profile == nil ? "entitlements" : "profile",
            "isProduction": build == .production,
        ]
        if let certificate = readCertificate, !certificate.environments.contains(build) {
            values["others"] = certificate.environments.map(\.rawValue).sorted().joined(separator: ", ")
            return Finding(of: "environment", .wrong, .environmentOfCertificate, with: values)
        }
        if let setting, setting.environment != build {
            values["other"] = setting.environment.rawValue
            return Finding(of: "environment", .wrong, .environmentOfSetting, with: values)
        }
        if let asked, asked != build {
            values["asked"] = asked.rawValue
            return Finding(of: "environment", .warning, .environmentOfProfile, with: values)
        }
        guard certificate != nil || key != nil || setting != nil || (profile != nil && asked != nil) else { return nil }
        return Finding(of: "environment", .ok, .environmentsAgree, with: values)
    }

    var teams: Finding? {
        let claims = [
            claim("profile", profile?.teamID), claim("certificate", readCertificate?.teamID), claim("key", key?.teamID),
            claim("entitlements", entitlements?["com.apple.developer.team-identifier"]?.string),
        ].compactMap(\.self)
        guard claims.count > 1 else { return nil }
        guard Set(claims.map(\.value)).count == 1 else {
            return Finding(of: "team", .wrong, .teamsDiffer, with: ["list": Self.list(claims)])
        }
        return Finding(of: "team", .ok, .teamsAgree, with: ["team": claims[0].value])
    }
}
