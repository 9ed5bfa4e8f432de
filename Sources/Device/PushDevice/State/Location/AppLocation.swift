import PushModel
import SystemPort

/// An app's use of the device's location.
struct AppLocation: Sendable {
    var access = LocationAccess()
    var accuracy = LocationAccuracy()
    var regions = WatchedRegions()
    var updates = LocationUpdates()
    var activity = BackgroundActivity()
    /// The last significant change that was reported, if the app listens to such changes.
    var significant: SignificantChanges?
    /// Whether the app listens to visits; `knowsArrival` is false for one that began to during the stay.
    private(set) var followsVisits = false
    var knowsArrival = false
    private(set) var followsHeading = false
    var ranged: [BeaconConstraint] = []
    var monitors: [String: [ConditionRecord]] = [:]

    struct SignificantChanges: Sendable {
        var last: LocationRecord?
    }

    /// Resets the requests of the previous process.
    mutating func startProcess() {
        accuracy.startProcess()
        updates = LocationUpdates()
        activity.startProcess()
        followsHeading = false
        ranged = []
    }

    /// Forgets the monitored regions after a restart. Source: Apple, "Monitoring the user's proximity to geographic
    /// regions": the system monitors until it is asked to stop or the device reboots.
    mutating func forget() {
        regions = WatchedRegions()
        activity = BackgroundActivity()
        significant = nil
        followsVisits = false
        monitors = [:]
    }

    // MARK: Services

    mutating func start(_ service: LocationService) {
        switch service {
        case .significantChanges: significant = SignificantChanges()
        case .visits:
            followsVisits = true
            knowsArrival = false
        case .heading: followsHeading = true
        }
    }

    mutating func stop(_ service: LocationService) {
        switch service {
        case .significantChanges: significant = nil
        case .visits: followsVisits = false
        case .heading: followsHeading = false
        }
    }

    // MARK: Beacons and conditions

    mutating func range(_ constraint: BeaconConstraint) {
        if !ranged.contains(constraint) { ranged.append(constraint) }
    }

    /// Sets a condition of a monitor, in the place of the one with the same identifier.
    mutating func set(_ condition: ConditionRecord, of monitor: String) {
        let identifier = condition.region.identifier
        if let place = monitors[monitor]?.firstIndex(where: { $0.region.identifier == identifier }) {
            monitors[monitor]?[place] = condition
        } else {
            monitors[monitor, default: []].append(condition)
        }
    }
}

extension SystemError {
    /// The codes of `CLError` that the device gives.
    enum LocationCode: Int {
        case locationUnknown = 0
        case denied = 1
        case regionMonitoringDenied = 4
        case regionMonitoringFailure = 5
        case promptDeclined = 18
    }

    static func location(_ code: LocationCode, _ text: String) -> SystemError {
        SystemError(domain: "kCLErrorDomain", code: code.rawValue, text: text)
    }

    /// The refusal of a location without permission.
    static let locationDenied = location(.denied, "The app may not use the location")
}
