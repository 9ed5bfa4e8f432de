import PushModel
import SystemPort

// What the device has for a URL.

extension DeviceState {
    /// Schemes of the system's own apps.
    private static let systemSchemes: Set = [
        "http", "https", "mailto", "tel", "sms", "maps", "facetime", "app-settings",
    ]

    /// The app of the system takes the front; of what it shows the device tells the URL only.
    ///
    /// - Returns: false for a scheme that no app of the system has, and for an app that is not in front. Source: Apple,
    ///   `open(_:options:completionHandler:)`; iOS refuses an app in the background.
    mutating func openURL(_ url: String, from bundleID: String, _ effects: inout Effects) -> Bool {
        let scheme = url.prefix { $0 != ":" }
        guard scheme.count < url.count, Self.systemSchemes.contains(scheme.lowercased()), front == bundleID else {
            return false
        }
        background(bundleID, &effects)
        tell(.changed("opened \(url)"), app: bundleID, &effects)
        return true
    }
}
