public import Foundation
public import PushModel

/// A location request of an app. All are answered with ``SystemReply/done``; the results arrive as ``LocationEvent``s.
public enum LocationCall: Hashable, Sendable, Codable {
    /// A location manager has got a delegate, which is to receive the authorization.
    case hello
    /// Asks for access to the location: while the app is in use, or always.
    case requestAuthorization(always: Bool)
    /// Starts monitoring a region; it replaces one with the same identifier.
    case startMonitoring(GeoRegion)
    /// Stops monitoring the region with this identifier.
    case stopMonitoring(identifier: String)
    /// Asks whether the device is inside the region.
    case requestState(GeoRegion)
    /// Asks for every new location from now on; also in the background if `inBackground`.
    case startUpdating(inBackground: Bool)
    /// Sets whether locations are delivered in the background.
    case updateInBackground(Bool)
    /// Ends what ``startUpdating(inBackground:)`` began.
    case stopUpdating
    /// Asks for one location.
    case requestLocation
    /// Begins to use a service.
    case start(LocationService)
    /// Ends the use of a service.
    case stop(LocationService)
    /// Asks for full accuracy until the app is no longer in use, with a key of `NSLocationTemporaryUsageDescriptionDictionary`.
    /// Answered with ``LocationEvent/fullAccuracy(number:_:)``.
    case requestFullAccuracy(number: Int, purposeKey: String)
    /// Asks for the beacons nearby, and for each change of them.
    case startRanging(BeaconConstraint)
    /// Ends what ``startRanging(_:)`` began.
    case stopRanging(BeaconConstraint)
    /// Adds a condition to a monitor, which assumes `state` of it; replaces one with the same identifier.
    case addCondition(GeoRegion, state: RegionWatch.State, monitor: String)
    /// Removes a condition from a monitor.
    case removeCondition(identifier: String, monitor: String)
    /// Begins a background activity: while it is active, the app counts as in use.
    case startActivity
    /// Ends a background activity.
    case endActivity
}

/// A service of the device's location besides the standard one.
public enum LocationService: String, Hashable, Sendable, Codable {
    /// Changes of about 500 m, also while the app is not running.
    case significantChanges
    /// Stays at places, also while the app is not running.
    case visits
    /// The direction of the device's top.
    case heading
}

/// A location event for an app.
public enum LocationEvent: Hashable, Sendable, Codable {
    /// The authorization in ``LocationFacts`` has changed, or a manager asked with ``LocationCall/hello``.
    case authorization
    /// The region is monitored from now on.
    case startedMonitoring(GeoRegion)
    /// The region is not monitored, for this reason.
    case monitoringFailed(GeoRegion, SystemError)
    /// The device came into the region, or left it.
    case crossed(GeoRegion, RegionWatch.Crossing)
    /// The answer to ``LocationCall/requestState(_:)``.
    case state(GeoRegion, RegionWatch.State)
    /// A new location.
    case updated(LocationRecord)
    /// The location, or the heading, cannot be told.
    case failed(SystemError)
    /// A significant change.
    case changedSignificantly(LocationRecord)
    /// The device arrived at a place, or left it.
    case visited(VisitRecord)
    /// The device has turned.
    case turned(HeadingRecord)
    /// The beacons nearby that an app asked for, the nearest first.
    case ranged(BeaconConstraint, [NearbyBeacon], date: Date)
    /// The beacons cannot be told, for this reason.
    case rangingFailed(BeaconConstraint, SystemError)
    /// The answer to a request for full accuracy; without an error the user allowed it.
    case fullAccuracy(number: Int, SystemError?)
    /// A condition of a monitor has changed.
    case condition(ConditionRecord, monitor: String)

    /// Whether it is a region crossing or a visit, which is kept for a delegate that is set later in the launch.
    package var isCrossing: Bool {
        switch self {
        case .crossed, .visited: true
        default: false
        }
    }
}
