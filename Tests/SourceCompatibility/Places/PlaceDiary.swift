import CoreLocation
import Foundation

// Swift 6 mode, in the manner of a diary app: one main-actor class for accuracy, significant changes, visits, headings and beacons,
// and a task for a monitor.
@MainActor
final class PlaceDiary: NSObject, CLLocationManagerDelegate {
    private let manager = CLLocationManager()
    private(set) var entries: [String] = []

    func start() {
        manager.delegate = self
        manager.activityType = .fitness
        manager.desiredAccuracy = kCLLocationAccuracyReduced
        manager.headingFilter = kCLHeadingFilterNone
        if CLLocationManager.significantLocationChangeMonitoringAvailable() {
            manager.startMonitoringSignificantLocationChanges()
        }
        manager.startMonitoringVisits()
        if CLLocationManager.headingAvailable() { manager.startUpdatingHeading() }
    }

    func range(_ uuid: UUID) {
        guard CLLocationManager.isRangingAvailable() else { return }
        manager.startRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: uuid, major: 1))
    }

    func askForPreciseLocation() async -> Bool {
        guard manager.accuracyAuthorization == .reducedAccuracy else { return true }
        do {
            try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "Diary")
            return manager.accuracyAuthorization == .fullAccuracy
        } catch CLError.promptDeclined {
            return false
        } catch {
            entries.append("\(error)")
            return false
        }
    }

    func watch(_ place: CLLocationCoordinate2D) async -> CLMonitor {
        let monitor = await CLMonitor("Diary")
        await monitor.add(
            CLMonitor.CircularGeographicCondition(center: place, radius: 150),
            identifier: "Place",
            assuming: .unsatisfied
        )
        return monitor
    }

    func follow(_ monitor: CLMonitor) async throws {
        for try await event in await monitor.events {
            switch event.state {
            case .satisfied: entries.append("inside \(event.identifier)")
            case .unsatisfied: entries.append("outside \(event.identifier)")
            case .unknown, .unmonitored: continue
            }
            if event.state == .satisfied { break }
        }
    }

    func firstLocation() async throws -> CLLocation? {
        for try await update in CLLocationUpdate.liveUpdates(.fitness) {
            if let location = update.location { return location }
        }
        return nil
    }

    nonisolated func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        let levels = locations.map { $0.floor?.level ?? 0 }
        MainActor.assumeIsolated { entries.append("changed, floor \(levels)") }
    }

    nonisolated func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        let isArrival = visit.departureDate == Date.distantFuture
        MainActor.assumeIsolated { entries.append(isArrival ? "arrived" : "departed") }
    }

    nonisolated func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        guard newHeading.headingAccuracy >= 0 else { return }
        let degrees = newHeading.trueHeading > 0 ? newHeading.trueHeading : newHeading.magneticHeading
        MainActor.assumeIsolated { entries.append("heading \(Int(degrees))") }
    }

    nonisolated func locationManager(
        _ manager: CLLocationManager,
        didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint
    ) {
        let near = beacons.filter { $0.proximity == .near || $0.proximity == .immediate }.map(\.minor.intValue)
        MainActor.assumeIsolated { entries.append("near \(near)") }
    }
}
