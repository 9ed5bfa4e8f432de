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

    /// Resets the requests of the previous process.
    mutating func startProcess() {
        isUpdating = false
        updatesInBackground = false
    }

    /// Forgets the monitored regions after a restart. Source: Apple, "Monitoring the user's proximity to geographic
    /// regions": the system monitors until it is asked to stop or the device reboots.
    mutating func forget() {
        watches = []
        held = []
    }
}

extension SystemError {
    static func location(_ code: Int, _ text: String) -> SystemError {
        SystemError(domain: "kCLErrorDomain", code: code, text: text)
    }
}
