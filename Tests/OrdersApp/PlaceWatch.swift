import CoreLocation
import UIKit

/// Follows the places that the courier passes, and prints what it hears.
@MainActor
final class PlaceWatch: NSObject, @preconcurrency CLLocationManagerDelegate {
    private let manager = CLLocationManager()
    private var activity: CLBackgroundActivitySession?

    /// Called at each launch; the system has kept the regions and the visits.
    func wake() {
        manager.delegate = self
        manager.startMonitoringSignificantLocationChanges()
    }

    /// Begins to follow.
    func start() {
        let depot = CLLocationCoordinate2D(latitude: 52.52, longitude: 13.40)
        manager.startMonitoring(for: CLCircularRegion(center: depot, radius: 100, identifier: "depot"))
        if let uuid = UUID(uuidString: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0") {
            manager.startMonitoring(for: CLBeaconRegion(uuid: uuid, major: 7, identifier: "gate"))
            manager.startRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: uuid))
        }
        manager.startMonitoringVisits()
        manager.startUpdatingHeading()
        activity = CLBackgroundActivitySession()
        print("follows \(manager.monitoredRegions.map(\.identifier).sorted())")
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        print("significant \(locations.map(\.coordinate.latitude))")
    }

    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        print("entered \(region.identifier)")
    }

    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        print("left \(region.identifier)")
    }

    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        print(visit.departureDate == .distantFuture ? "arrived" : "departed")
    }

    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        print("heading \(newHeading.magneticHeading)")
    }

    func locationManager(
        _ manager: CLLocationManager,
        didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint
    ) {
        print("ranged \(beacons.map(\.minor.intValue))")
    }
}
