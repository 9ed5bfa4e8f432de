import Foundation
import PushModel
import SystemPort

/// One app on the device: its permissions, its notifications, its stored data.
struct AppRecord: Sendable {
    var app: InstalledApp
    var condition = AppCondition.notRunning
    /// Whether it is in the foreground and inactive, because a prompt is in front of it.
    var isInterrupted = false
    /// The time as its process last knew it.
    var knownTime: DeviceState.WallTime?
    /// The process in which it runs.
    var process: Int?
    var vendorID: String
    var settings = SettingsRecord()
    var categories: [CategoryRecord] = []
    var badge = 0
    var token: DeviceToken?
    /// Whether it requested a token and has not received it yet.
    var waitsForToken = false
    var isRegistered = false
    /// The requested types of an iOS 8 or 9 app: the bits of `UIUserNotificationType`.
    var userNotificationTypes: UInt = 0
    /// The number of such requests by its process that have not been answered yet.
    var settingsCalls = 0
    var storage: [String: String] = [:]
    /// The sound files that it put into its container's Library/Sounds, and their lengths.
    var librarySounds: [String: Duration] = [:]
    var hasServiceExtension = false
    /// The extensions that provide expanded views, by category.
    var contentExtensions: [String: ContentExtensionInfo] = [:]
    /// Whether the current process has been in the foreground before, so that its scene is connected.
    var hasConnectedScene = false
    /// The times of silent wakes, for its budget.
    var silentWakes: [Date] = []
    /// The newest silent push held for the budget, or until Low Power Mode ends.
    var heldPush: SilentPush?
    var mayRefreshInBackground = true
    var fetch = BackgroundFetch()
    /// The quick actions that it has set at run time.
    var shortcuts: [ShortcutRecord] = []
    var location = AppLocation()
    /// The in-app view that it shows, even while not visible.
    var inApp: InAppView?
    /// Its alerts, the one in front last.
    var alerts: [AppAlert] = []
    var suspension = Suspension()
    var activities = AppActivities()
    var voIP = VoIPState()
    var widgets = PlacedWidgets()
    /// The last in-app view, after the user tapped it: the process may ask late.
    var tappedInApp: String?

    init(app: InstalledApp, vendorID: String) {
        self.app = app
        self.vendorID = vendorID
    }

    /// Returns the category; if two have the same identifier, the last one.
    func category(_ identifier: String) -> CategoryRecord? { categories.last { $0.identifier == identifier } }

    func allows(_ kind: UInt) -> Bool { settings.allowed & kind != 0 }
}
