import Foundation
import PushModel
import SystemPort

/// One app on the device: what it is allowed, what it left in the notification centre, what it stored.
struct AppRecord: Sendable {
    var app: InstalledApp
    var condition = AppCondition.notRunning
    /// The process that runs it.
    var process: Int?
    var vendorID: String
    var settings = SettingsRecord()
    var categories: [CategoryRecord] = []
    var badge = 0
    var token: DeviceToken?
    /// It asked for a token and was not told yet.
    var waitsForToken = false
    var isRegistered = false
    /// As an app of iOS 8 and 9 asked for them: the bits of `UIUserNotificationType`.
    var userNotificationTypes: UInt = 0
    /// How often its process asked as such, and was not told yet.
    var settingsCalls = 0
    var storage: [String: String] = [:]
    /// The sound files that it has put into its container's Library/Sounds, and their lengths.
    var librarySounds: [String: Duration] = [:]
    var hasServiceExtension = false
    /// The extensions that make expanded views, by category.
    var contentExtensions: [String: ContentExtensionInfo] = [:]
    /// Whether the process that runs has come to the front before: its scene is connected then.
    var hasConnectedScene = false
    /// When silent pushes woke it, for its budget.
    var silentWakes: [Date] = []
    /// The newest silent push that waits for the budget, or for the end of Low Power Mode.
    var heldPush: SilentPush?
    var mayRefreshInBackground = true
    var location = AppLocation()
    /// What it shows above its page, also while that is not to be seen.
    var inApp: InAppView?
    var suspension = Suspension()
    /// What it showed last, once the person has tapped it: its process may ask late.
    var tappedInApp: String?

    init(app: InstalledApp, vendorID: String) {
        self.app = app
        self.vendorID = vendorID
    }

    /// Of two with one identifier the last counts.
    func category(_ identifier: String) -> CategoryRecord? { categories.last { $0.identifier == identifier } }

    func allows(_ kind: UInt) -> Bool { settings.allowed & kind != 0 }
}

/// A notification that the device holds: in the notification centre, on the banner, or for the next summary.
///
/// It never changes. A class, for each push walks over all entries, and a copy of the values would cost more than the rest
/// of its road.
final class Entry: Sendable {
    let shown: ShownNotification
    let place: Place

    enum Place: Sendable {
        /// On the banner only.
        case banner
        /// In the notification centre, maybe on the banner too.
        case list
        /// Nobody has seen it yet.
        case summary
    }

    init(shown: ShownNotification, place: Place) {
        self.shown = shown
        self.place = place
    }

    var isListed: Bool { place == .list }

    /// Whether it is the entry of a request; a newer one takes its place.
    func isOf(_ bundleID: String, _ identifier: String) -> Bool {
        shown.notification.identifier == identifier && shown.bundleID == bundleID
    }
}

/// An event that an app has not answered in full.
struct Outstanding: Sendable {
    enum Purpose: Sendable {
        case lifeCycle
        /// A fetch: 30 s.
        case fetch
        /// Waits for presentation options: 10 s.
        case present(ShownNotification)
        case respond
        /// What the person did to a notification, whose files go when the app has answered.
        case act(NotificationRecord)
        /// A service extension: 30 s.
        case extend(ShownNotification, alsoFetched: Bool)
        /// A content extension decides on this act.
        case decide(DeviceState.HeldAct)
        /// The last word of the extension that works on this event.
        case expire(event: Int)
        /// The process ends when the app has taken it.
        case end

        var isFetch: Bool { if case .fetch = self { true } else { false } }
        var isPresentation: Bool { if case .present = self { true } else { false } }
    }

    var purpose: Purpose
    var bundleID: String
    var process: Int
    var state: AppState
    var subject: JourneySubject?
    /// Goes into the push's journey too.
    var isPartOfJourney: Bool
    var isReturned = false
    var isAnswered = false
}
