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
