public import SystemPort

/// The contents of the device's screen at one moment.
public struct Screen: Hashable, Sendable {
    /// The app in the foreground; nil for the home screen.
    public var front: String?
    /// Whether the device is locked.
    public var isLocked = false
    /// The permission prompt on the screen; nil for none.
    public var prompt: PermissionPrompt?
    /// The banner at the top, which stays for five seconds.
    public var banner: ShownNotification?
    /// The notification shown in the expanded view.
    public var expanded: ExpandedView?
    /// The in-app view of the app in the foreground.
    public var inApp: ShownInApp?
    /// The alert or action sheet of the app in the foreground.
    public var alert: ShownAlert?
    /// The calls, the oldest first: in front of everything, on a locked device too.
    public var calls: [ShownCall] = []
    /// The notification centre, newest first.
    public var list: [ShownNotification] = []
    /// The Live Activities on the lock screen: the most relevant first, of equal ones the newest.
    public var activities: [ShownActivity] = []
    /// The Live Activity in the Dynamic Island.
    public var island: ShownActivity?
    /// ``list`` in stacks; the stack with the newest entry first.
    public var groups: [NotificationGroup] = []
    /// Notifications held for the next scheduled summary, the most relevant first.
    public var upcoming: [ShownNotification] = []
    /// The badge numbers on the icons, by bundle id; icons without a badge are omitted.
    public var badges: [String: Int] = [:]
}

/// An in-app view that the user sees and can act on.
public struct ShownInApp: Hashable, Sendable {
    /// The bundle id of the app.
    public var bundleID: String
    /// The name of the app.
    public var appName: String
    /// The view's content.
    public var record: InAppRecord

    /// The id used by user actions.
    public var id: String { record.id }
    /// The title of the view.
    public var title: String { record.title }
    /// The text of the view.
    public var body: String { record.body }
}

/// An alert that the user sees and can answer.
public struct ShownAlert: Hashable, Sendable {
    /// The bundle id of the app.
    public var bundleID: String
    /// The name of the app.
    public var appName: String
    /// The alert's content.
    public var record: AlertRecord

    /// The title of the alert.
    public var title: String { record.title }
    /// The text of the alert.
    public var message: String { record.message }
    /// The titles of the buttons, in the order in which the app added them.
    public var buttons: [String] { record.buttons.map(\.title) }
}

/// The expanded view of a notification, as the user sees it.
public struct ExpandedView: Hashable, Sendable {
    /// The notification's id (``ShownNotification/id``).
    public var id: String
    /// The title in the bar: the app's name, or the title of the content extension that overrides it.
    public var title: String
    /// Title, subtitle and body of the notification; nil if the content extension hides them.
    public var defaultContent: ShownNotification?
    /// The content extension's view; nil without one, and until it has shown something.
    public var content: ContentViewRecord?
    /// The buttons below the notification, in the order in which they are shown.
    public var actions: [ActionRecord]
    /// Whether the system's media button shows the pause symbol.
    public var isPlaying: Bool
}
