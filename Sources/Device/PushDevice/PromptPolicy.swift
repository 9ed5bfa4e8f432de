/// What happens when an app asks for permission.
public enum PromptPolicy: Hashable, Sendable {
    /// Somebody answers with ``Device/answerPrompt(_:)``.
    case ask
    case allow
    case deny
}

/// The question on the screen.
public struct PermissionPrompt: Hashable, Sendable {
    public var bundleID: String
    public var appName: String
    /// What is asked for, in the bits of `UNAuthorizationOptions`.
    public var options: UInt
}
