public import PushModel

/// What an app asks of its system about places. All are answered with ``SystemReply/done``; what comes of them is a
/// ``LocationEvent``.
public enum LocationCall: Hashable, Sendable, Codable {
    /// A location manager has a delegate now, which wants to know what is allowed.
    case hello
    case requestAuthorization(always: Bool)
    /// Takes the place of a region with the same identifier.
    case startMonitoring(GeoRegion)
    case stopMonitoring(identifier: String)
    /// Whether the device is inside.
    case requestState(GeoRegion)
    /// Each new place from now on; also while the app is not in front if `inBackground`.
    case startUpdating(inBackground: Bool)
    /// Whether places come while the app is not in front.
    case updateInBackground(Bool)
    case stopUpdating
    /// One place.
    case requestLocation
}

/// What the system tells an app about places.
public enum LocationEvent: Hashable, Sendable, Codable {
    /// What is allowed stands in ``LocationFacts``: it has changed, or a manager asked with ``LocationCall/hello``.
    case authorization
    case startedMonitoring(GeoRegion)
    case monitoringFailed(GeoRegion, SystemError)
    case crossed(GeoRegion, RegionWatch.Crossing)
    case state(GeoRegion, RegionWatch.State)
    case updated(LocationRecord)
    case failed(SystemError)

    /// Tells of the border of a region: kept for a delegate that comes later in the launch.
    public var isCrossing: Bool { if case .crossed = self { true } else { false } }
}
