public import SystemPort

/// What a person sees on the device at a moment.
public struct Screen: Hashable, Sendable {
    /// The app in front; nil is the home screen.
    public var front: String?
    public var prompt: PermissionPrompt?
    /// The banner at the top. It stays for five seconds.
    public var banner: ShownNotification?
    /// The notification centre, newest first.
    public var list: [ShownNotification] = []
    /// The numbers on the icons, by bundle id; 0 shows none and is left out.
    public var badges: [String: Int] = [:]
}

/// A notification that a person sees and may touch.
public struct ShownNotification: Hashable, Sendable {
    public var bundleID: String
    public var appName: String
    /// The push that brought it.
    public var apnsID: String
    public var notification: NotificationRecord

    public var title: String { notification.content.title }
    public var subtitle: String { notification.content.subtitle }
    /// As it is displayed: `%%` has become `%`.
    public var body: String { notification.content.body.replacing("%%", with: "%") }
}
