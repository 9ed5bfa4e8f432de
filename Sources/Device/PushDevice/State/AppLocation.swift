import PushModel
import SystemPort

/// What an app does with the device's place.
struct AppLocation: Sendable {
    /// What the person chose; the device's switch for all apps comes before it.
    var authorization = LocationAuthorization.notDetermined
    /// It was asked about while it is in use, and is treated as one that may always, until that matters.
    var isProvisional = false
    /// The app asks for "always" in the question on the screen.
    var wantsAlways = false
    /// It has asked for "always", which it can once.
    var hasAskedForAlways = false
    /// The regions that it monitors, in the order in which it added them. They outlive its process.
    var watches: [RegionWatch] = []
    /// Crossings that wait for the answer of the person.
    var held: [(region: GeoRegion, crossing: RegionWatch.Crossing)] = []
    var isUpdating = false
    var updatesInBackground = false

    /// A new process has asked for nothing yet.
    mutating func startProcess() {
        isUpdating = false
        updatesInBackground = false
    }

    /// The device starts anew. Source: Apple, "Monitoring the user's proximity to geographic regions": the system monitors
    /// until it is asked to stop or the device reboots.
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
