/// What happens when an app asks for permission.
public enum PromptPolicy: Hashable, Sendable {
    /// Somebody answers with ``Device/answerPrompt(_:)``.
    case ask
    case allow
    case deny
}

/// The question on the screen.
public struct PermissionPrompt: Hashable, Sendable {
    /// What a question is about.
    public enum Subject: Hashable, Sendable {
        case notifications
        /// The device's place while the app is in use.
        case location
        /// The device's place at any time, of an app that may use it already.
        case locationAlways
    }

    public var bundleID: String
    public var appName: String
    /// What is asked for, in the bits of `UNAuthorizationOptions`; 0 where it is not about notifications.
    public var options: UInt
    public var subject = Subject.notifications

    func asksAsMuch(as other: PermissionPrompt) -> Bool { bundleID == other.bundleID && subject == other.subject }
}
