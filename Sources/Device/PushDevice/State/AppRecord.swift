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
    var storage: [String: String] = [:]
    var hasServiceExtension = false
    /// Categories whose expanded view an extension of the app makes.
    var contentCategories: Set<String> = []
    /// When silent pushes woke it, for its budget.
    var silentWakes: [Date] = []
    /// The newest silent push that waits for the budget, or for the end of Low Power Mode.
    var heldPush: SilentPush?
    var mayRefreshInBackground = true
    var location = AppLocation()

    init(app: InstalledApp, vendorID: String) {
        self.app = app
        self.vendorID = vendorID
    }

    /// Of two with one identifier the last counts.
    func category(_ identifier: String) -> CategoryRecord? { categories.last { $0.identifier == identifier } }

    func allows(_ kind: UInt) -> Bool { settings.allowed & kind != 0 }
}

/// A notification that the device holds: in the notification centre, on the banner, or both.
struct Entry: Sendable {
    var shown: ShownNotification
    var isListed: Bool
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
        /// A service extension: 30 s.
        case extend(ShownNotification, alsoFetched: Bool)
        /// A content extension decides on this act.
        case decide(DeviceState.HeldAct)
        /// The last word of the extension that works on this event.
        case expire(event: Int)
        /// The process ends when the app has taken it.
        case end

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
