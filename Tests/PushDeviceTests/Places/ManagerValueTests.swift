import CoreLocation
import Foundation
import PushClock
import PushModel
import SystemPort
import Testing

@Suite("Location managers: values")
struct ManagerValueTests {
    @Test("Codes and constants are Apple's")
    func rawValues() {
        #expect(CLError.Code.regionMonitoringDenied.rawValue == 4)
        #expect(CLError.Code.regionMonitoringFailure.rawValue == 5)
        #expect(CLError.Code.rangingFailure.rawValue == 17)
        #expect([CLRegionState.unknown, .inside, .outside].map(\.rawValue) == [0, 1, 2])
        #expect(kCLLocationAccuracyBest == -1 && kCLLocationAccuracyBestForNavigation == -2)
        #expect(kCLLocationAccuracyNearestTenMeters == 10 && kCLLocationAccuracyHundredMeters == 100)
        #expect(kCLLocationAccuracyKilometer == 1000 && kCLLocationAccuracyThreeKilometers == 3000)
        for status in [LocationAuthorization.notDetermined, .restricted, .denied, .always, .whenInUse] {
            #expect(CLAuthorizationStatus(rawValue: status.rawValue) != nil)
        }
    }

    @Test("An error of the system is caught by its name and keeps its words")
    func errors() throws {
        let error: any Error = CLError(SystemError(domain: kCLErrorDomain, code: 5, text: "Too many."))
        #expect((error as? CLError)?.code == .regionMonitoringFailure)
        #expect((error as NSError).domain == kCLErrorDomain)
        #expect(error.localizedDescription == "Too many.")
        do { throw error } catch CLError.regionMonitoringFailure {} catch { Issue.record("\(error)") }
    }

    @Test("A manager without a device knows nothing, and monitors circles and beacons")
    func noDevice() {
        CurrentPort.with(NoDevice.shared) {
            let manager = CLLocationManager()
            #expect(manager.authorizationStatus == .notDetermined)
            #expect(CLLocationManager.authorizationStatus() == .notDetermined)
            #expect(manager.location == nil && manager.monitoredRegions.isEmpty)
            #expect(manager.distanceFilter == kCLDistanceFilterNone)
            #expect(manager.desiredAccuracy == kCLLocationAccuracyBest)
            #expect(manager.maximumRegionMonitoringDistance == 1_000_000)
        }
        #expect(CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self))
        #expect(CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self))
        #expect(!CLLocationManager.isMonitoringAvailable(for: NSObject.self))
    }

    @Test("An app's tests can override a manager, also in the spelling before iOS 13")
    func doubles() {
        final class Manager: CLLocationManager {
            var ranged: Set<CLRegion> = []
            override var rangedRegions: Set<CLRegion> { ranged }
            override func startRangingBeacons(in region: CLBeaconRegion) { ranged = [region] }
            override func stopRangingBeacons(in region: CLBeaconRegion) { ranged = [] }
        }
        CurrentPort.with(NoDevice.shared) {
            let manager = Manager()
            manager.startRangingBeacons(in: CLBeaconRegion(uuid: UUID(), identifier: "shop"))
            #expect(manager.rangedRegions.map(\.identifier) == ["shop"])
        }
    }

    @Test("A location made of a place alone is of now, without an altitude")
    func now() {
        CurrentPort.with(NoDevice.shared) {
            let before = NoDevice.shared.clock.date
            let here = CLLocation(latitude: 52.52, longitude: 13.405)
            #expect(here.timestamp >= before && here.timestamp <= NoDevice.shared.clock.date)
            #expect(here.horizontalAccuracy == 0 && here.verticalAccuracy == -1 && here.speed == -1)
        }
    }

    @Test("Background places need the background mode")
    func backgroundMode() {
        CurrentPort.with(NoDevice.shared) {
            let manager = CLLocationManager()
            let raised = RaisedException.catching { manager.allowsBackgroundLocationUpdates = true }
            #expect(raised.map(\.name) == ["NSInternalInconsistencyException"])
            #expect(!manager.allowsBackgroundLocationUpdates)
        }
    }

    @Test("A location that crossed the port has its place, moment and accuracy")
    func record() {
        let date = Date(timeIntervalSince1970: 1_767_596_400)
        let place = Coordinate(latitude: 1, longitude: 2)
        let location = CLLocation(LocationRecord(place: place, date: date, horizontalAccuracy: 5))
        #expect(location.coordinate.place == place && location.timestamp == date)
        #expect(location.horizontalAccuracy == 5 && location.verticalAccuracy == -1 && location.speed == -1)
    }
}
