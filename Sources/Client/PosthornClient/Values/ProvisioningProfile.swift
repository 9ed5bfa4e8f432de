import Foundation

/// The parts of a provisioning profile that concern pushes.
struct ProvisioningProfile {
    var environment: PushEnvironment?
    var isForDebugging: Bool
    var distribution: AppBuild.Distribution

    /// Reads a profile: a property list in a signed envelope, which the system has verified. The list's text lies in it as a
    /// whole.
    ///
    /// - Parameter data: nil results if it has no property list.
    init?(_ data: Data) {
        guard let start = data.range(of: Data("<?xml".utf8)),
            let end = data.range(of: Data("</plist>".utf8), in: start.lowerBound..<data.endIndex),
            let list = try? PropertyListSerialization.propertyList(
                from: data[start.lowerBound..<end.upperBound],
                format: nil
            ) as? [String: Any]
        else { return nil }
        let entitlements = list["Entitlements"] as? [String: Any] ?? [:]
        // The second name is a Mac's.
        let value = entitlements["aps-environment"] ?? entitlements["com.apple.developer.aps-environment"]
        environment = (value as? String).flatMap(PushEnvironment.init)
        let debugging = entitlements["get-task-allow"] ?? entitlements["com.apple.security.get-task-allow"]
        isForDebugging = debugging as? Bool ?? false
        if list["ProvisionsAllDevices"] as? Bool == true {
            distribution = .everywhere
        } else if list["ProvisionedDevices"] != nil {
            distribution = isForDebugging || environment == .development ? .development : .adHoc
        } else {
            distribution = .appStore
        }
    }
}
