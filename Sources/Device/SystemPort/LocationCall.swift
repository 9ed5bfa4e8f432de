package import PushModel

/// A location request of an app. All are answered with ``SystemReply/done``; the results arrive as ``LocationEvent``s.
package enum LocationCall: Hashable, Sendable, Codable {
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
}

/// A location event for an app.
package enum LocationEvent: Hashable, Sendable, Codable {
    /// The authorization in ``LocationFacts`` has changed, or a manager asked with ``LocationCall/hello``.
    case authorization
    case startedMonitoring(GeoRegion)
    case monitoringFailed(GeoRegion, SystemError)
    case crossed(GeoRegion, RegionWatch.Crossing)
    case state(GeoRegion, RegionWatch.State)
    case updated(LocationRecord)
    case failed(SystemError)

    /// Whether it is a region crossing, which is kept for a delegate that is set later in the launch.
    package var isCrossing: Bool { if case .crossed = self { true } else { false } }
}
