/// The response to an app's request for permission.
public enum PromptPolicy: Hashable, Sendable {
    /// The prompt is answered with ``Device/answerPrompt(_:)``.
    case ask
    case allow
    case deny
}

/// A permission prompt on the screen.
public struct PermissionPrompt: Hashable, Sendable {
    /// The subject of a prompt.
    public enum Subject: String, Hashable, Sendable, Codable {
        case notifications
        /// The device's location while the app is in use.
        case location
        /// The device's location at any time, for an app that has "While Using" access.
        case locationAlways
        /// The exact location until the app is no longer in use, for an app that has an approximate one.
        case locationAccuracy
    }

    /// The bundle id of the app that asks.
    public var bundleID: String
    /// The name of that app, as the prompt shows it.
    public var appName: String
    /// The requested options, as bits of `UNAuthorizationOptions`; 0 if the prompt is not about notifications.
    public var options: UInt
    /// The permission that the app asks for.
    public var subject = Subject.notifications

    func asksAsMuch(as other: PermissionPrompt) -> Bool { bundleID == other.bundleID && subject == other.subject }
}

extension PermissionPrompt {
    /// The text of the prompt.
    public var text: String {
        switch subject {
        case .notifications: "“\(appName)” would like to send you notifications"
        case .location: "Allow “\(appName)” to use your location?"
        case .locationAlways: "Allow “\(appName)” to also use your location even when you are not using the app?"
        case .locationAccuracy: "Allow “\(appName)” to use your precise location once?"
        }
    }
}
