public import Foundation
import SystemPort

/// Hears of places and permission. Every method is optional.
///
/// All are called on the main thread, wherever the manager was made. On Linux a method that a subclass adds to the
/// conforming class is not called: the class that names the protocol has to implement it.
@preconcurrency public protocol CLLocationManagerDelegate: NSObjectProtocol {
    /// Since iOS 14: once when the manager has its delegate, then whenever the permission changes.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)

    /// Before iOS 14, and for a delegate without the method above.
    func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)

    /// The newest place comes last; an emulated device tells one at a time.
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])

    /// The error is a ``CLError``.
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)

    /// The device came in. The region is a copy.
    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)

    /// The device went out. The region is a copy.
    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)

    /// Answers ``CLLocationManager/requestState(for:)``; besides, comes after each entry and exit that is told.
    func locationManager(
        _ manager: CLLocationManager,
        didDetermineState state: CLRegionState,
        for region: CLRegion
    )

    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)

    /// The error is a ``CLError``.
    func locationManager(
        _ manager: CLLocationManager,
        monitoringDidFailFor region: CLRegion?,
        withError error: any Error
    )
}

// Each default says to the probe that the app has no such method.
extension CLLocationManagerDelegate {
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) { MethodProbe.miss() }

    public func locationManager(
        _ manager: CLLocationManager,
        didChangeAuthorization status: CLAuthorizationStatus
    ) { MethodProbe.miss() }

    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        MethodProbe.miss()
    }

    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        MethodProbe.miss()
    }

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
}
