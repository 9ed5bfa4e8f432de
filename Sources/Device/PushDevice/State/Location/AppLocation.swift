import PushModel
import SystemPort

/// An app's use of the device's location.
struct AppLocation: Sendable {
    /// The user's choice; the device's switch for all apps takes precedence.
    var authorization = LocationAuthorization.notDetermined
    /// Whether access was granted for use only, but is treated as "always" until it matters.
    var isProvisional = false
    /// Whether the app requests "always" in the prompt on the screen.
    var wantsAlways = false
    /// Whether it has requested "always", which it can do once.
    var hasAskedForAlways = false
    /// The monitored regions, in the order in which they were added. They outlive the app's process.
    var watches: [RegionWatch] = []
    /// Crossings that wait for the user's answer.
    var held: [(region: GeoRegion, crossing: RegionWatch.Crossing)] = []
    var isUpdating = false
    var updatesInBackground = false

    /// The user's choice of an approximate location; nil if there was none, and the app's Info.plist decides.
    var isReducedByUser: Bool?
    /// Whether the user allowed full accuracy until the app is no longer in use.
    var hasFullAccuracyForNow = false
    /// The requests for full accuracy that wait for the user's answer.
    var accuracyRequests: [Int] = []
    /// The last significant change that was reported, if the app listens to such changes.
    var significant: SignificantChanges?
    /// Whether the app listens to visits; `knowsArrival` is false for one that began to during the stay.
    var followsVisits = false
    var knowsArrival = false
    var followsHeading = false
    var ranged: [BeaconConstraint] = []
    var monitors: [String: [ConditionRecord]] = [:]

    /// Whether a background activity makes the app count as in use.
    var hasActivity = false
    /// Whether the process before had one, which this one may continue.
    var mayResumeActivity = false

    struct SignificantChanges: Sendable {
        var last: LocationRecord?
    }

    /// Resets the requests of the previous process.
    mutating func startProcess() {
        isUpdating = false
        updatesInBackground = false
        followsHeading = false
        hasFullAccuracyForNow = false
        accuracyRequests = []
        ranged = []
        mayResumeActivity = hasActivity
        hasActivity = false
    }

    /// Forgets the monitored regions after a restart. Source: Apple, "Monitoring the user's proximity to geographic
    /// regions": the system monitors until it is asked to stop or the device reboots.
    mutating func forget() {
        watches = []
        held = []
        significant = nil
        followsVisits = false
        monitors = [:]
        hasActivity = false
        mayResumeActivity = false
    }
}

extension SystemError {
    static func location(_ code: Int, _ text: String) -> SystemError {
        SystemError(domain: "kCLErrorDomain", code: code, text: text)
    }
}
