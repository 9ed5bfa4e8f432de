package import PushDevice

extension PermissionPrompt {
    /// The question on the screen.
    package var text: String { "“\(appName)” would like to send you notifications" }
}
