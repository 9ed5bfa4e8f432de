public import PushModel
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

extension JourneySubject {
    /// The apns-id of a push; `app/request` for a local notification.
    public var id: String {
        switch self {
        case .push(let apnsID): apnsID
        case .local(_, let app, let request): "\(app)/\(request)"
        }
    }
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

/// The small picture beside a notification's text.
public struct Thumbnail: Hashable, Sendable {
    /// The path of the file in the device's store.
    public var path: String
    /// A uniform type identifier of an image or a film.
    public var type: String
    /// The part of the picture that it shows.
    public var part = Part()
    /// The moment of a film that it shows, in seconds; nil for an image.
    public var time: Double?

    /// A rectangle in fractions of the picture, origin at the top left.
    public struct Part: Hashable, Sendable {
        /// The left edge of the part, as a fraction of the width.
        public var x = 0.0
        /// The upper edge of the part, as a fraction of the height.
        public var y = 0.0
        /// The width of the part, as a fraction of the picture's.
        public var width = 1.0
        /// The height of the part, as a fraction of the picture's.
        public var height = 1.0
    }

    /// Returns nil for an attachment without a thumbnail: a sound, or one that hides it.
    init?(_ attachment: AttachmentRecord) {
        guard !attachment.hidesThumbnail, let kind = AttachmentType(identifier: attachment.type)?.kind, kind != .audio
        else { return nil }
        path = attachment.path
        type = attachment.type
        if let numbers = attachment.clipping, numbers.count == 4 {
            part = Part(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        }
        // A film shows its beginning unless specified otherwise.
        if kind == .movie { time = attachment.thumbnailTime ?? 0 }
    }
}
