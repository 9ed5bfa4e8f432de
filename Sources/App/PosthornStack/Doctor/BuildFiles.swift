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
        guard now < profile.expires else {
            return Finding(
                of: "profile",
                .wrong,
                "The profile '\(profile.name)' expired on \(profile.expires.formatted(.iso8601)): nobody can install the app.",
                remedy: "Make a new profile and sign the app with it."
            )
        }
        guard !profile.bundleID.hasSuffix("*") else {
            return Finding(
                of: "profile",
                .wrong,
                "The profile '\(profile.name)' is for '\(profile.bundleID)', a wildcard App ID, which cannot have push.",
                remedy: "Make an explicit App ID with push and a profile for it."
            )
        }
        guard let environment = profile.environment else {
            return Finding(
                of: "profile",
                .wrong,
                "The profile '\(profile.name)' has no 'aps-environment': the app gets error 3000 instead of a token.",
                remedy: "Turn push on for the App ID, then make the profile again: an earlier profile does not change."
            )
        }
        let end = profile.expires.formatted(.iso8601)
        return Finding(of: "profile", .ok, "The profile '\(profile.name)' is for \(environment), until \(end).")
    }

    private static func finding(
        _ certificate: Result<InspectedCertificate, UnusableCertificate>,
        at now: Date
    ) -> Finding {
        switch certificate {
        case .failure(let problem):
            return Finding(
                of: "certificate",
                .wrong,
                problem.description,
                remedy: problem.reason == .wrongPassword
                    ? "Give the password with which the file was exported, in --password-file or POSTHORN_PASSWORD."
                    : "Export the push certificate together with its private key, as a .p12."
            )
        case .success(let certificate):
            let name = certificate.commonName ?? certificate.bundleID
            let remedy = "Issue a new certificate and add it to the service; device tokens stay as they are."
            guard certificate.notAfter > now else {
                let end = certificate.notAfter.formatted(.iso8601)
                return Finding(of: "certificate", .wrong, "'\(name)' expired on \(end).", remedy: remedy)
            }
            guard certificate.notBefore <= now else {
                return Finding(
                    of: "certificate",
                    .wrong,
                    "The certificate '\(name)' is not valid before \(certificate.notBefore.formatted(.iso8601)).",
                    remedy: "Check this machine's clock, which says \(now.formatted(.iso8601))."
                )
            }
            let opens = certificate.environments.map(\.rawValue).sorted().joined(separator: " and ")
            let found = "The certificate '\(name)' is for \(opens), until \(certificate.notAfter.formatted(.iso8601))."
            guard CertificateWatch.reached(certificate.notAfter, at: now) == nil else {
                return Finding(of: "certificate", .warning, found, remedy: remedy)
            }
            return Finding(of: "certificate", .ok, found)
        }
    }

    private static func finding(_ key: Key) -> Finding {
        guard let problem = key.problem else {
            return Finding(of: "key", .ok, "The key \(key.keyID) of team \(key.teamID) is for both environments.")
        }
        return Finding(
            of: "key",
            .wrong,
            "The key \(key.keyID) cannot be used: \(problem).",
            remedy: "Give the .p8 file as Apple offers it for download, with its own key id and team id."
        )
    }

    private static func pushEntitlement(_ entitlements: JSONObject) -> Finding {
        guard let value = entitlements["aps-environment"]?.string else {
            return Finding(
                of: "entitlements",
                .wrong,
                "The entitlements have no 'aps-environment': the app gets error 3000 instead of a token.",
                remedy: "Add the capability Push Notifications to the target."
            )
        }
        guard APNSEnvironment(rawValue: value) != nil || value.contains("$(") else {
            return Finding(
                of: "entitlements",
                .wrong,
                "'aps-environment' is '\(value)'; expected 'development' or 'production'.",
                remedy: "Remove the capability Push Notifications from the target and add it again."
            )
        }
        return Finding(of: "entitlements", .ok, "The entitlements ask for push ('aps-environment' is '\(value)').")
    }

    private static func backgroundModes(_ info: JSONObject) -> Finding {
        let modes = (info["UIBackgroundModes"]?.array ?? []).compactMap(\.string)
        guard modes.contains("remote-notification") else {
            return Finding(
                of: "background-modes",
                .warning,
                "'UIBackgroundModes' has no 'remote-notification': pushes with 'content-available' do not wake the app.",
                remedy: "If the app is to work in the background, add the mode 'Remote notifications' to the target."
            )
        }
        return Finding(
            of: "background-modes",
            .ok,
            "'UIBackgroundModes' has 'remote-notification': a push can wake the app."
        )
    }
}
