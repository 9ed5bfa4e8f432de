public import Foundation
public import PushModel
public import SystemPort

/// The state of a phone as JSON shows it: for `posthorn device screen`, the portal and run files.
///
/// `Documentation/RunFile.md` describes each member. New members may be added within a version.
public struct PhoneState: Hashable, Sendable, Codable {
    /// The version of this shape.
    public static let currentVersion = 1

    /// The version of the shape.
    public var version = Self.currentVersion
    /// The phone's name.
    public var name: String
    /// The version of iOS.
    public var system: String
    /// The time on the phone's clock.
    public var date: Date
    /// The time zone, by its name in the IANA database.
    public var timeZone: String
    /// The language of the apps' texts.
    public var language: String
    /// The country of the App Store, in three letters; nil in a state that an earlier version has written.
    public var storefront: String?
    /// Whether the device is locked.
    public var isLocked: Bool
    /// Whether the device is connected to its courier.
    public var isConnected: Bool
    /// Whether the device saves power.
    public var isLowPower: Bool
    /// The Focus that is on.
    @OrNull public var focus: String?
    /// The location; nil while unknown.
    @OrNull public var location: Coordinate?
    /// The bundle id of the app in the foreground; nil for the home screen.
    @OrNull public var front: String?
    /// The text of the permission prompt on the screen.
    @OrNull public var prompt: String?
    /// The subject of the prompt.
    @OrNull public var promptSubject: PermissionPrompt.Subject?
    /// The banner at the top.
    @OrNull public var banner: Notification?
    /// The notification shown in the expanded view.
    @OrNull public var expanded: Expanded?
    /// The in-app view of the app in the foreground.
    @OrNull public var inApp: InApp?
    /// The alert or action sheet of the app in the foreground.
    @OrNull public var alert: Alert?
    /// The notification centre, newest first.
    public var list: [Notification]
    /// The Live Activities on the lock screen, the first in the Dynamic Island if there is one; absent without any.
    public var activities: [Activity]?
    /// The calls, the oldest first.
    public var calls: [ShownCall]
    /// ``list`` in stacks; the stack with the newest entry first.
    public var groups: [Group]
    /// Notifications held for the next scheduled summary.
    public var upcoming: [Notification]
    /// The times of the scheduled summary, such as `8:00`.
    public var summaryTimes: [String]
    /// The time of the next scheduled summary; nil if no notification is held for it.
    @OrNull public var nextSummary: Date?
    /// The badge numbers on the icons, by bundle id.
    public var badges: [String: Int]
    /// The installed apps, in the order of their bundle ids.
    public var apps: [App]

    /// A notification as the user sees it.
    public struct Notification: Hashable, Sendable, Codable {
        /// The id used by orders: the apns-id of a push; app and request of a local notification.
        public var id: String
        /// The bundle id of the app.
        public var app: String
        /// The name of the app.
        public var appName: String
        /// The title; empty while previews are hidden.
        public var title: String
        /// The subtitle; empty while previews are hidden.
        public var subtitle: String
        /// The body, or the text that replaces it.
        public var body: String
        /// The picture of the sender of a communication notification, as a `data` URL: a PNG, JPEG or GIF file of up to 256 KB.
        @OrNull public var picture: String?
        /// The path of the file that the thumbnail shows.
        @OrNull public var thumbnail: String?
        /// The attachments.
        public var attachments: [Attachment]
    }

    /// A file of a notification.
    public struct Attachment: Hashable, Sendable, Codable {
        /// The attachment's identifier.
        public var id: String
        /// The path of the file on the machine that runs the phone.
        public var path: String
        /// A uniform type identifier, such as `public.png`.
        public var type: String
    }

    /// An in-app view.
    public struct InApp: Hashable, Sendable, Codable {
        /// The id used by orders.
        public var id: String
        /// The bundle id of the app.
        public var app: String
        /// The title of the view.
        public var title: String
        /// The text of the view.
        public var body: String
    }

    /// An alert or an action sheet.
    public struct Alert: Hashable, Sendable, Codable {
        /// The bundle id of the app.
        public var app: String
        /// The form of the alert.
        public var style: AlertRecord.Style
        /// The title; empty if there is none.
        public var title: String
        /// The text below the title; empty if there is none.
        public var message: String
        /// The text fields, from the top; the text of a secure one is hidden.
        public var fields: [AlertRecord.Field]
        /// The buttons, in the order in which the app added them; an order names one by its title.
        public var buttons: [AlertRecord.Button]
    }

    /// A Live Activity.
    public struct Activity: Hashable, Sendable, Codable {
        /// The id used by orders, as ActivityKit's.
        public var id: String
        /// The bundle id of the app.
        public var app: String
        /// The name of the app.
        public var appName: String
        /// The name of the app's `ActivityAttributes` type.
        public var type: String
        /// `active`, `stale` or `ended`.
        public var state: String
        /// The attributes, as JSON.
        public var attributes: String
        /// The content state, as JSON.
        public var content: String
        /// The time at which the content is out of date.
        @OrNull public var staleDate: Date?
        /// The relevance among the app's activities.
        public var relevanceScore: Double
        /// Whether the Dynamic Island shows it.
        public var isInIsland: Bool
    }

    /// A stack of the notification centre.
    public struct Group: Hashable, Sendable, Codable {
        /// The bundle id of the app.
        public var app: String
        /// The thread identifier; empty where entries are grouped by app.
        public var thread: String
        /// The ids of the notifications, newest first.
        public var ids: [String]
        /// The line below the top notification; nil for a single one.
        @OrNull public var summary: String?
        /// The number of notifications that the stack represents.
        public var count: Int
    }

    /// A notification in the expanded view.
    public struct Expanded: Hashable, Sendable, Codable {
        /// The notification's id.
        public var id: String
        /// The title in the bar.
        public var title: String
        /// Title, subtitle and body; nil if the content extension hides them.
        @OrNull public var notification: Notification?
        /// The content extension's view.
        @OrNull public var content: Content?
        /// The buttons, in their order.
        public var actions: [Action]
        /// Whether the media button shows the pause symbol.
        public var isPlaying: Bool
    }

    /// The view of a content extension.
    public struct Content: Hashable, Sendable, Codable {
        /// The view controller's title.
        public var title: String
        /// The height in points.
        public var height: Double
        /// Whether the system draws a play and pause button.
        public var hasMediaButton: Bool
    }

    /// A button of a notification.
    public struct Action: Hashable, Sendable, Codable {
        /// The button's identifier.
        public var id: String
        /// The button's title.
        public var title: String
        /// Whether it is shown as destructive.
        public var isDestructive: Bool
        /// Whether it asks for text.
        public var asksForText: Bool
        /// The text in the empty field; nil if it does not ask for text.
        @OrNull public var placeholder: String?
    }

    /// An installed app and its settings.
    public struct App: Hashable, Sendable, Codable {
        /// The bundle id.
        public var id: String
        /// The name below the icon.
        public var name: String
        /// `notRunning`, `forceQuit`, `active` or `background`.
        public var condition: String
        /// `notDetermined`, `denied`, `authorized` or `provisional`.
        public var permission: String
        /// Whether sounds are on.
        public var sounds: Bool
        /// Whether badges are on.
        public var badges: Bool
        /// Whether banners are shown.
        public var banners: Bool
        /// When previews are shown: `always`, `whenUnlocked` or `never`.
        public var previews: String
        /// `automatic`, `byApp` or `off`.
        public var grouping: String
        /// Whether its notifications wait for the summary; nil if the system has none.
        @OrNull public var summarized: Bool?
        /// Whether "Live Activities" is on; nil if the system or the app has none.
        @OrNull public var liveActivities: Bool?
        /// The number of pending local notifications.
        public var pending: Int
        /// The time of the next one; nil without any, and for one that waits for a place.
        @OrNull public var nextFiring: Date?
    }

    /// The state as one line of JSON with sorted keys and ISO 8601 dates.
    public var json: String { get throws { String(decoding: try RunFile.encoder().encode(self), as: UTF8.self) } }
}

extension KeyedDecodingContainer {
    /// Reads the calls; none for a state that was written before phones had calls.
    func decode(_ type: [ShownCall].Type, forKey key: Key) throws -> [ShownCall] {
        try decodeIfPresent(type, forKey: key) ?? []
    }
}

extension KeyedDecodingContainer {
    /// Reads a member that may be absent.
    func decode<Value>(_ type: OrNull<Value>.Type, forKey key: Key) throws -> OrNull<Value> {
        try decodeIfPresent(type, forKey: key) ?? OrNull(wrappedValue: nil)
    }
}
