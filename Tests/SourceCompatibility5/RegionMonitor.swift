import CoreLocation
import UIKit

// Swift 5 mode, in the manner of iOS 10: a region monitor with the class function and the old delegate method.
public class RegionMonitor: NSObject, CLLocationManagerDelegate {
    public static let sharedInstance = RegionMonitor()

    private lazy var locationManager: CLLocationManager = {
        let manager = CLLocationManager()
        manager.delegate = self
        manager.desiredAccuracy = kCLLocationAccuracyBest
        manager.distanceFilter = 50
        return manager
    }()

    public var onEvent: ((String) -> Void)?
    public private(set) var lastLocation: CLLocation?

    public func startMonitoring() {
        guard CLLocationManager.locationServicesEnabled() else { return }
        if CLLocationManager.authorizationStatus() == .notDetermined {
            locationManager.requestAlwaysAuthorization()
        }
        let center = CLLocationCoordinate2DMake(48.137, 11.575)
        let region = CLCircularRegion(
            center: center,
            radius: min(200, locationManager.maximumRegionMonitoringDistance),
            identifier: "market"
        )
        locationManager.startMonitoring(for: region)
        locationManager.startUpdatingLocation()
    }

    public func stop() {
        locationManager.monitoredRegions.forEach(locationManager.stopMonitoring)
        locationManager.stopUpdatingLocation()
    }

    public func locationManager(
        _ manager: CLLocationManager,
        didChangeAuthorization status: CLAuthorizationStatus
    ) {
        onEvent?("status \(status.rawValue)")
    }

    public func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
        manager.requestState(for: region)
    }

    public func locationManager(
        _ manager: CLLocationManager,
        didDetermineState state: CLRegionState,
        for region: CLRegion
    ) {
        switch state {
        case .inside: onEvent?("inside \(region.identifier)")
        case .outside: onEvent?("outside \(region.identifier)")
        case .unknown: onEvent?("unknown")
        }
    }

    public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        onEvent?("left \(region.identifier)")
    }

    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        lastLocation = locations.last
    }

    public func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
        if let error = error as? CLError, error.code == .denied { onEvent?("denied") }
    }
}
