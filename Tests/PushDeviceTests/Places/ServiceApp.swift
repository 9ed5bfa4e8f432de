import CoreLocation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import UIKit

/// An app whose location manager writes down what its delegate hears of the services.
@MainActor
final class ServiceApp: UIResponder, UIApplicationDelegate, @preconcurrency CLLocationManagerDelegate {
    let manager = CLLocationManager()
    var launchedForLocation = false
    var heard: [String] = []
    var locations: [CLLocation] = []
    var visits: [CLVisit] = []
    var beacons: [CLBeacon] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        launchedForLocation = launchOptions?[.location] != nil
        manager.delegate = self
        if launchedForLocation { manager.startMonitoringSignificantLocationChanges() }
        return true
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        heard.append("status \(manager.authorizationStatus.rawValue) \(manager.accuracyAuthorization)")
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        self.locations += locations
        heard += locations.map { "at \(($0.coordinate.latitude * 10_000).rounded() / 10_000)" }
    }

    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        visits.append(visit)
        heard.append(visit.departureDate == .distantFuture ? "arrived" : "departed")
    }

    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        heard.append("heading \(newHeading.magneticHeading) \(newHeading.trueHeading)")
    }

    func locationManager(
        _ manager: CLLocationManager,
        didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint
    ) {
        self.beacons = beacons
        heard.append("beacons \(beacons.map(\.minor.intValue))")
    }

    func locationManager(
        _ manager: CLLocationManager,
        didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
        error: any Error
    ) {
        heard.append("no ranging \((error as? CLError)?.code.rawValue ?? -1)")
    }

    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        heard.append("entered \(region.identifier)")
    }
}

/// A phone with ``ServiceApp`` open at ``home``.
@MainActor
struct ServiceStage {
    nonisolated static let home = Coordinate(latitude: 52.50, longitude: 13.40)
    /// 1.1 km north of ``home``.
    nonisolated static let office = Coordinate(latitude: 52.51, longitude: 13.40)

    let phone: TestPhone
    let app: InstalledApp

    init(
        _ profile: SystemProfile = .iOS(18),
        access: LocationAuthorization = .always,
        info: JSONObject = [:],
        backgroundModes: [String] = ["remote-notification"]
    ) async {
        phone = TestPhone(profile, prompts: .ask)
        app = InstalledApp(
            bundleID: "com.example.services",
            backgroundModes: backgroundModes,
            info: info
        )
        phone.install(app) { ServiceApp() }
        phone.device.setLocationAccess(of: app.bundleID, to: access)
        await phone.perform { $0.move(to: Self.home) }
        await phone.open(app)
        delegate?.heard = []
    }

    var delegate: ServiceApp? { phone.device.delegate(of: app.bundleID, as: ServiceApp.self) }

    /// Takes the delegate's calls since the last time.
    func heard() -> [String] {
        defer { delegate?.heard = [] }
        return delegate?.heard ?? []
    }

    func manager(_ body: @MainActor (CLLocationManager) -> Void) async {
        await phone.device.inside(app.bundleID) { if let delegate { body(delegate.manager) } }
        await phone.device.settled()
    }

    func move(north metres: Double) async {
        await phone.perform {
            $0.move(to: Coordinate(latitude: Self.home.latitude + metres / 111_195, longitude: Self.home.longitude))
        }
    }

    /// The device's reasons why an app hears nothing.
    var reasons: [String] {
        phone.device.recentDeviceEvents.compactMap { if case .changed(let words) = $0.kind { words } else { nil } }
            .filter { $0.contains("not ") }
    }
}
