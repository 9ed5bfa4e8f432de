public import PushModel
public import SystemPort

/// What a person sees on the device at a moment.
public struct Screen: Hashable, Sendable {
    /// The app in front; nil is the home screen.
    public var front: String?
    public var isLocked = false
    public var prompt: PermissionPrompt?
    /// The banner at the top. It stays for five seconds.
    public var banner: ShownNotification?
    /// The notification that is pressed long.
    public var expanded: ExpandedView?
    /// What the app in front shows above its page.
    public var inApp: ShownInApp?
    /// The notification centre, newest first.
    public var list: [ShownNotification] = []
    /// ``list`` in stacks; the one with the newest entry comes first.
    public var groups: [NotificationGroup] = []
    /// What waits for the next scheduled summary, the most relevant first.
    public var upcoming: [ShownNotification] = []
    /// The numbers on the icons, by bundle id; 0 shows none and is left out.
    public var badges: [String: Int] = [:]
}

/// A notification that a person sees and may touch.
public struct ShownNotification: Hashable, Sendable {
    public var bundleID: String
    public var appName: String
    /// Whose journey it is.
    public var subject: JourneySubject
    public var notification: NotificationRecord
    /// What takes the body's place, for previews are hidden.
    var placeholder: String?
    var hidesTitle = false
    var hidesSubtitle = false

    init(bundleID: String, appName: String, subject: JourneySubject, notification: NotificationRecord) {
        self.bundleID = bundleID
        self.appName = appName
        self.subject = subject
        self.notification = notification
    }

    /// By which a person's acts name it: the apns-id of a push, app and request of a local notification.
    public var id: String { subject.id }
    /// The push that brought it; nil for a local notification.
    public var apnsID: String? { if case .push(let apnsID) = subject { apnsID } else { nil } }

    public var title: String { hidesTitle ? "" : notification.content.title }
    public var subtitle: String { hidesSubtitle ? "" : notification.content.subtitle }
    /// As it is displayed: `%%` has become `%`.
    public var body: String { placeholder ?? notification.content.body.replacing("%%", with: "%") }
    /// Of the first attachment that gives one; nil where previews are hidden.
    public var thumbnail: Thumbnail? {
        guard placeholder == nil else { return nil }
        return notification.content.attachments.lazy.compactMap(Thumbnail.init).first
    }
}

/// What a person sees above an app's page, and may touch.
public struct ShownInApp: Hashable, Sendable {
    public var bundleID: String
    public var appName: String
    public var record: InAppRecord

    /// By which a person's acts name it.
    public var id: String { record.id }
    public var title: String { record.title }
    public var body: String { record.body }
}

extension JourneySubject {
    /// The apns-id of a push; `app/request` of a local notification.
    public var id: String {
        switch self {
        case .push(let apnsID): apnsID
        case .local(_, let app, let request): "\(app)/\(request)"
        }
    }
}
