import PushModel

/// The name of an app at Apple's developer site, and whether the app may receive pushes.
package struct AppID: Hashable, Sendable {
    /// The bundle id, such as `com.example.app`; also the app's APNs topic.
    package let bundleID: String
    /// Whether the Push Notifications capability is on: without it there is no push certificate, and profiles carry no
    /// `aps-environment`.
    package var hasPush: Bool

    /// - Throws: if `bundleID` is not an explicit bundle id: two or more names of letters, digits and hyphens, separated
    ///   by dots.
    package init(bundleID: String, hasPush: Bool) throws(DeveloperProblem) {
        guard !bundleID.contains("*") else {
            throw DeveloperProblem(
                "'\(bundleID)' is a wildcard App ID, and push needs an explicit one: a device token and a certificate "
                    + "belong to exactly one app. Expected a bundle id such as 'com.example.app'."
            )
        }
        let names = bundleID.split(separator: ".", omittingEmptySubsequences: false)
        let isWellFormed = names.allSatisfy { name in
            !name.isEmpty && name.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isLetterOrDigit }
        }
        // A longer id does not fit into a file name.
        guard names.count >= 2, isWellFormed, bundleID.utf8.count <= 200 else {
            throw DeveloperProblem(
                "'\(bundleID)' is not a bundle id; expected letters, digits and '-' with dots between them, such as "
                    + "'com.example.app'."
            )
        }
        self.bundleID = bundleID
        self.hasPush = hasPush
    }
}
