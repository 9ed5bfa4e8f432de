import SystemPort

/// Receives locations and authorization changes. Every method is optional.
///
/// All are called on the main thread, wherever the manager was created. On Linux a method that a subclass adds to the
/// conforming class is not called: the class that declares the conformance has to implement it.
@preconcurrency public protocol CLLocationManagerDelegate: NSObjectProtocol {
    /// Since iOS 14: called once when the manager gets its delegate, then whenever the authorization changes.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)

    /// Called before iOS 14, and for a delegate without the method above.
    func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)

    /// Receives locations, the newest last; an emulated device reports one at a time.
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])

    /// Receives a failure, always a ``CLError``.
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)

    /// The device entered the region, of which this is a copy.
    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)

    /// The device left the region, of which this is a copy.
    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)

    /// Answers ``CLLocationManager/requestState(for:)``; also called after each reported entry and exit.
    func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)

    /// The device watches a region from now on.
    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)

    /// Receives a failure, always a ``CLError``.
    func locationManager(
        _ manager: CLLocationManager,
        monitoringDidFailFor region: CLRegion?,
        withError error: any Error
    )

    /// The device has turned. The heading refers to its top.
    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)

    /// Never called; the emulated device needs no calibration.
    func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool

    /// Receives an arrival, whose departure is in the distant future, or a departure.
    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)

    /// Receives the beacons nearby, the nearest first.
    func locationManager(
        _ manager: CLLocationManager,
        didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint
    )

    /// The manager failed to do as it was asked; the error is a ``CLError``.
    func locationManager(
        _ manager: CLLocationManager,
        didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
        error: any Error
    )

    /// Receives the beacons of a region that is ranged in the spelling before iOS 13, the nearest first.
    func locationManager(_ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion)

    /// Receives the failure of such a region, always a ``CLError``.
    func locationManager(
        _ manager: CLLocationManager,
        rangingBeaconsDidFailFor region: CLBeaconRegion,
        withError error: any Error
    )

    /// Never called; the emulated device never pauses.
    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)

    /// Never called; the emulated device never pauses.
    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)
}

// Each default tells the probe that the app has no such method.
extension CLLocationManagerDelegate {
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) { MethodProbe.miss() }

    public func locationManager(
        _ manager: CLLocationManager,
        didChangeAuthorization status: CLAuthorizationStatus
    ) { MethodProbe.miss() }

    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        MethodProbe.miss()
    }

    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) { MethodProbe.miss() }

    public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) { MethodProbe.miss() }
    public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) { MethodProbe.miss() }

    public func locationManager(
        _ manager: CLLocationManager,
        didDetermineState state: CLRegionState,
        for region: CLRegion
    ) { MethodProbe.miss() }

    public func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
        MethodProbe.miss()
    }

    public func locationManager(
        _ manager: CLLocationManager,
        monitoringDidFailFor region: CLRegion?,
        withError error: any Error
    ) { MethodProbe.miss() }

    public func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        MethodProbe.miss()
    }

    public func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool {
        MethodProbe.missed(false)
    }

    public func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) { MethodProbe.miss() }

    public func locationManager(
        _ manager: CLLocationManager,
        didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint
    ) { MethodProbe.miss() }

    public func locationManager(
        _ manager: CLLocationManager,
        didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
        error: any Error
    ) { MethodProbe.miss() }

    public func locationManager(
        _ manager: CLLocationManager,
        didRangeBeacons beacons: [CLBeacon],
        in region: CLBeaconRegion
    ) { MethodProbe.miss() }

    public func locationManager(
        _ manager: CLLocationManager,
        rangingBeaconsDidFailFor region: CLBeaconRegion,
        withError error: any Error
    ) { MethodProbe.miss() }

    public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) { MethodProbe.miss() }
    public func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) { MethodProbe.miss() }
}
