import CoreLocation
import Foundation

// Swift 5 mode, in the manner of an app that has grown since iOS 8: a shared manager for accuracy, visits and beacons, with tasks for the
// services of iOS 17.
public class PlaceTracker: NSObject, CLLocationManagerDelegate {
    private let manager: CLLocationManager
    public var onChange: ((String) -> Void)?
    public private(set) var lines: [String] = []
    public private(set) var regionOfShop = CLCircularRegion()

    public override init() {
        manager = CLLocationManager()
        super.init()
        manager.delegate = self
        manager.desiredAccuracy = kCLLocationAccuracyHundredMeters
    }

    public var isPrecise: Bool {
        guard #available(iOS 14.0, *) else { return true }
        return manager.accuracyAuthorization == .fullAccuracy
    }

    public func askForPrecision(_ completion: @escaping (Error?) -> Void) {
        manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "Diary") { error in
            DispatchQueue.main.async { completion(error) }
        }
    }

    public func begin(shop: UUID, at center: CLLocationCoordinate2D) {
        regionOfShop = CLCircularRegion(center: center, radius: 120, identifier: "shop")
        regionOfShop.notifyOnExit = false
        manager.startMonitoring(for: regionOfShop)
        if CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self) {
            let beacon = CLBeaconRegion(proximityUUID: shop, major: 3, identifier: "counter")
            beacon.notifyEntryStateOnDisplay = true
            manager.startMonitoring(for: beacon)
            manager.requestState(for: beacon)
        }
        manager.startMonitoringVisits()
        manager.startRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: shop))
        manager.startRangingBeacons(in: CLBeaconRegion(proximityUUID: shop, major: 3, identifier: "counter"))
    }

    public func end() {
        for region in manager.rangedRegions {
            if let region = region as? CLBeaconRegion { manager.stopRangingBeacons(in: region) }
        }
    }

    /// Waits for the state of a place to change, and for the next location.
    @MainActor
    public func next(
        at center: CLLocationCoordinate2D,
        change: @MainActor () async -> Void
    ) async throws -> [String] {
        let monitor = await CLMonitor("Tracker")
        await monitor.add(
            CLMonitor.CircularGeographicCondition(center: center, radius: 100),
            identifier: "Park",
            assuming: .unsatisfied
        )
        let session = CLServiceSession(authorization: .whenInUse)
        defer { session.invalidate() }
        await change()
        var words: [String] = []
        for try await event in await monitor.events {
            words.append("\(event.identifier) \(event.state == .satisfied)")
            break
        }
        for try await update in CLLocationUpdate.liveUpdates() {
            guard let location = update.location else { continue }
            words.append("at \(location.coordinate.latitude)")
            break
        }
        return words
    }

    private func note(_ line: String) {
        lines.append(line)
        onChange?(line)
    }

    public func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        note(visit.departureDate == Date.distantFuture ? "arrived" : "departed")
    }

    public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        note("entered \(region.identifier) \(region is CLBeaconRegion)")
    }

    public func locationManager(
        _ manager: CLLocationManager,
        didDetermineState state: CLRegionState,
        for region: CLRegion
    ) {
        if region.identifier == "counter" { note(state == .inside ? "at the counter" : "not at the counter") }
    }

    public func locationManager(
        _ manager: CLLocationManager,
        didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint
    ) {
        if let nearest = beacons.first { note("nearest \(nearest.minor)") }
    }

    public func locationManager(
        _ manager: CLLocationManager,
        didRangeBeacons beacons: [CLBeacon],
        in region: CLBeaconRegion
    ) {
        if !beacons.isEmpty { note("\(beacons.count) at \(region.identifier)") }
    }

    public func locationManager(
        _ manager: CLLocationManager,
        rangingBeaconsDidFailFor region: CLBeaconRegion,
        withError error: Error
    ) {
        note("no ranging at \(region.identifier)")
    }
}
