public import Foundation
public import PosthornPhone

extension CallbackMatrix {
    /// The app's state when the notification arrives.
    public enum Start: String, Hashable, Sendable, Codable, CaseIterable {
        /// On the screen, or running behind it.
        case foreground, background
        /// The system ended the app.
        case terminatedBySystem
        /// The user swiped the app away.
        case forceQuit
    }

    /// The notification.
    public enum Payload: String, Hashable, Sendable, Codable, CaseIterable {
        /// A push with an alert, a sound and a badge, as all others but the silent one.
        case alert
        /// An alert that also wakes the app in the background.
        case alertWithContentAvailable = "alert+content-available"
        /// An alert that passes through the service extension.
        case alertWithMutableContent = "alert+mutable-content"
        /// An alert that does both.
        case alertWithMutableContentAndContentAvailable = "alert+mutable-content+content-available"
        /// A push with `content-available` alone, of the type `background`.
        case silent
        /// A local notification, due a minute after it was scheduled.
        case local
    }

    /// The user's action.
    public enum Act: String, Hashable, Sendable, Codable, CaseIterable {
        /// The user does nothing.
        case none
        /// A tap on the notification.
        case tap
        /// A tap on the app's icon.
        case icon
        /// A button that leaves the app where it is.
        case backgroundButton
        /// A button that opens the app.
        case foregroundButton
        /// A text, with a button that asks for one.
        case reply
        /// The notification is cleared.
        case dismiss
    }

    /// The user's answer to the permission prompt.
    public enum Permission: String, Hashable, Sendable, Codable, CaseIterable { case granted, denied }

    /// The rows to run, and the app that they are run with.
    public struct Options: Sendable {
        /// The versions of iOS, 7 or later.
        public var systems: [SystemProfile]
        /// The app's states.
        public var starts: Set<Start>
        /// The notifications.
        public var payloads: Set<Payload>
        /// The user's actions.
        public var acts: Set<Act>
        /// The answers to the permission prompt. The table has a few rows with `denied`; the default is `granted` alone.
        public var permissions: Set<Permission> = [.granted]
        /// The app and its declarations: Info values, entitlements, background modes.
        public var app: InstalledApp
        /// The category of the notifications, among those that the app registers.
        ///
        /// Its first button of each kind is pressed; rows for which it has no button are left out. With nil the matrix adds categories of
        /// its own to those of the app (`posthorn.quiet` and `posthorn.hears`, with the buttons `later`, `show` and `answer`).
        public var category: String?
        /// The members of each push beside `aps`, which are also the `userInfo` of local notifications.
        public var userInfo: JSONObject = [:]
        /// Whether the matrix asks for permission in the app's name, if the app has not asked when it is prepared.
        public var asksPermission = true
        /// The date at which the phones' clocks start; nil for 1 January 2026, 08:00 UTC.
        public var date: Date?

        /// Creates options.
        ///
        /// - Parameters:
        ///   - systems: the versions of iOS, 7 or later.
        ///   - starts: the app's states.
        ///   - payloads: the notifications.
        ///   - acts: the user's actions.
        ///   - app: the app and its declarations.
        ///   - category: the category of the notifications; nil for one of the matrix's own.
        public init(
            systems: [SystemProfile] = [.iOS(17)],
            starts: Set<Start> = Set(Start.allCases),
            payloads: Set<Payload> = Set(Payload.allCases),
            acts: Set<Act> = Set(Act.allCases),
            app: InstalledApp = InstalledApp(bundleID: "com.example.app"),
            category: String? = nil
        ) {
            self.systems = systems
            self.starts = starts
            self.payloads = payloads
            self.acts = acts
            self.app = app
            self.category = category
        }
    }
}
