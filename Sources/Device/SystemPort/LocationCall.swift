public import Foundation
public import PushModel

/// A location request of an app. All are answered with ``SystemReply/done``; the results arrive as ``LocationEvent``s.
public enum LocationCall: Hashable, Sendable, Codable {
    /// A location manager has got a delegate, which is to receive the authorization.
    case hello
    case requestAuthorization(always: Bool)
    /// Starts monitoring a region; it replaces one with the same identifier.
    case startMonitoring(GeoRegion)
    case stopMonitoring(identifier: String)
    /// Asks whether the device is inside the region.
    case requestState(GeoRegion)
    /// Asks for every new location from now on; also in the background if `inBackground`.
    case startUpdating(inBackground: Bool)
    /// Sets whether locations are delivered in the background.
    case updateInBackground(Bool)
    case stopUpdating
    /// Asks for one location.
    case requestLocation
    case start(LocationService)
    case stop(LocationService)
    /// Asks for full accuracy until the app is no longer in use, with a key of `NSLocationTemporaryUsageDescriptionDictionary`.
    /// Answered with ``LocationEvent/fullAccuracy(number:_:)``.
    case requestFullAccuracy(number: Int, purposeKey: String)
    /// Asks for the beacons nearby, and for each change of them.
    case startRanging(BeaconConstraint)
    case stopRanging(BeaconConstraint)
    /// Adds a condition to a monitor, which assumes `state` of it; replaces one with the same identifier.
    case addCondition(GeoRegion, state: RegionWatch.State, monitor: String)
    case removeCondition(identifier: String, monitor: String)
    /// Begins a background activity: while it is active, the app counts as in use.
    case startActivity
    case endActivity
}

/// A service of the device's location besides the standard one.
public enum LocationService: String, Hashable, Sendable, Codable {
    /// Changes of about 500 m, also while the app is not running.
    case significantChanges
    /// Stays at places, also while the app is not running.
    case visits
    case heading
}

/// A location event for an app.
public enum LocationEvent: Hashable, Sendable, Codable {
    /// The authorization in ``LocationFacts`` has changed, or a manager asked with ``LocationCall/hello``.
    case authorization
    case startedMonitoring(GeoRegion)
    case monitoringFailed(GeoRegion, SystemError)
    case crossed(GeoRegion, RegionWatch.Crossing)
    case state(GeoRegion, RegionWatch.State)
    case updated(LocationRecord)
    case failed(SystemError)
    /// A significant change.
    case changedSignificantly(LocationRecord)
    case visited(VisitRecord)
    case turned(HeadingRecord)
    /// The beacons nearby that an app asked for, the nearest first.
    case ranged(BeaconConstraint, [NearbyBeacon], date: Date)
    case rangingFailed(BeaconConstraint, SystemError)
    /// The answer to a request for full accuracy; without an error the user allowed it.
    case fullAccuracy(number: Int, SystemError?)
    case condition(ConditionRecord, monitor: String)

    /// Whether it is a region crossing or a visit, which is kept for a delegate that is set later in the launch.
    package var isCrossing: Bool {
        switch self {
        case .crossed, .visited: true
        default: false
        }
    }
}
