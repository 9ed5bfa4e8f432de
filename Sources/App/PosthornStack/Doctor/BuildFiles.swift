import AppInstallation
package import Foundation
package import PushModel
package import PushService

/// The files of an app's build and of its credentials, which `posthorn doctor` holds against each other.
package struct BuildFiles: Sendable {
    /// The team of a provider key.
    package struct Key: Hashable, Sendable {
        var keyID: String
        var teamID: String
        /// The reason why it cannot be used; nil if it can.
        var problem: String?

        package init(keyID: String, teamID: String, problem: String? = nil) {
            self.keyID = keyID
            self.teamID = teamID
            self.problem = problem
        }
    }

    /// An app of the service.
    package struct Setting: Hashable, Sendable {
        var bundleID: String
        var environment: APNSEnvironment

        package init(bundleID: String, environment: APNSEnvironment) {
            self.bundleID = bundleID
            self.environment = environment
        }
    }

    package var profile: ProvisioningProfile?
    package var certificate: Result<InspectedCertificate, UnusableCertificate>?
    package var key: Key?
    /// The keys of an Info.plist.
    package var info: JSONObject?
    /// The keys of an entitlements file.
    package var entitlements: JSONObject?
    package var setting: Setting?

    package init() {}

    package var isEmpty: Bool {
        profile == nil && certificate == nil && key == nil && info == nil && entitlements == nil
    }

    /// Reads a property list, in XML or binary.
    ///
    /// - Returns: its keys; dates and data as text.
    package static func propertyList(_ file: Data) -> JSONObject? {
        (try? PropertyListDecoder().decode(PropertyListValue.self, from: file))?.json.object
    }

    package func findings(at now: Date) -> [Finding] {
        let files = [
            profile.map { Self.finding($0, at: now) }, certificate.map { Self.finding($0, at: now) },
            key.map(Self.finding), entitlements.map(Self.pushEntitlement), info.map(Self.backgroundModes),
        ]
        return files.compactMap(\.self) + [bundleIDs, environments, teams].compactMap(\.self)
    }

    // MARK: - Each file alone

    private static func finding(_ profile: ProvisioningProfile, at now: Date) -> Finding {
        let values: [String: any CustomStringConvertible] = [
            "name": profile.name, "bundleID": profile.bundleID, "date": profile.expires.formatted(.iso8601),
            "environment": profile.environment?.rawValue ?? "",
        ]
        guard now < profile.expires else { return Finding(of: "profile", .wrong, .profileExpired, with: values) }
        guard !profile.bundleID.hasSuffix("*") else {
            return Finding(of: "profile", .wrong, .profileWildcard, with: values)
        }
        guard profile.environment != nil else {
            return Finding(of: "profile", .wrong, .profileWithoutPush, with: values)
        }
        return Finding(of: "profile", .ok, .profileValid, with: values)
    }

    private static func finding(
        _ certificate: Result<InspectedCertificate, UnusableCertificate>,
        at now: Date
    ) -> Finding {
        func finding(
            _ state: Finding.State,
            _ code: Remark.Code,
            with values: [String: any CustomStringConvertible]
        ) -> Finding {
            Finding(of: "certificate", state, code, with: values)
        }
        switch certificate {
        case .failure(let problem):
            let code: Remark.Code = problem.reason == .wrongPassword ? .pushCertificateLocked : .pushCertificateUnusable
            return finding(.wrong, code, with: ["detail": problem.description])
        case .success(let certificate):
            let name = certificate.commonName ?? certificate.bundleID
            let opens = certificate.environments.map(\.rawValue).sorted().joined(separator: " and ")
            var values = ["name": name, "environments": opens, "date": certificate.notAfter.formatted(.iso8601)]
            guard certificate.notAfter > now else { return finding(.wrong, .pushCertificateExpired, with: values) }
            guard certificate.notBefore <= now else {
                values["date"] = certificate.notBefore.formatted(.iso8601)
                values["now"] = now.formatted(.iso8601)
                return finding(.wrong, .pushCertificateNotYetValid, with: values)
            }
            let isEnding = CertificateWatch.reached(certificate.notAfter, at: now) != nil
            return finding(
                isEnding ? .warning : .ok,
                isEnding ? .pushCertificateEnding : .pushCertificateValid,
                with: values
            )
        }
    }

    private static func finding(_ key: Key) -> Finding {
        let values = ["key": key.keyID, "team": key.teamID, "detail": key.problem ?? ""]
        return key.problem == nil
            ? Finding(of: "key", .ok, .pushKeyValid, with: values)
            : Finding(of: "key", .wrong, .pushKeyUnusable, with: values)
    }

    private static func pushEntitlement(_ entitlements: JSONObject) -> Finding {
        guard let value = entitlements["aps-environment"]?.string else {
            return Finding(of: "entitlements", .wrong, .entitlementsWithoutPush)
        }
        let isKnown = APNSEnvironment(rawValue: value) != nil || value.contains("$(")
        return Finding(
            of: "entitlements",
            isKnown ? .ok : .wrong,
            isKnown ? .entitlementsValid : .entitlementsUnknown,
            with: ["value": value]
        )
    }

    private static func backgroundModes(_ info: JSONObject) -> Finding {
        let canWake = info.strings("UIBackgroundModes").contains("remote-notification")
        return Finding(of: "background-modes", canWake ? .ok : .warning, canWake ? .modeThere : .modeMissing)
    }
}
