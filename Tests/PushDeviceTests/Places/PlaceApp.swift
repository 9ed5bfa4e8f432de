import CoreLocation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import UIKit

extension InstalledApp {
    /// An app that says why it wants the location.
    static func places(backgroundModes: [String] = [], purposes: Int = 3) -> InstalledApp {
        let keys = [
            "NSLocationWhenInUseUsageDescription", "NSLocationAlwaysAndWhenInUseUsageDescription",
            "NSLocationAlwaysUsageDescription",
        ]
        return InstalledApp(
            bundleID: "com.example.places",
            backgroundModes: backgroundModes,
            info: JSONObject(keys.prefix(purposes).map { ($0, .string("To try it.")) })
        )
    }
}

/// An app with a location manager that writes down what its delegate hears.
@MainActor
final class PlaceApp: UIResponder, UIApplicationDelegate, @preconcurrency CLLocationManagerDelegate {
    let manager = CLLocationManager()
    var launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    var heard: [String] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        self.launchOptions = launchOptions
        manager.delegate = self
        return true
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        heard.append("status \(manager.authorizationStatus.rawValue)")
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        heard.append("at \(locations.map(\.coordinate.latitude))")
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        heard.append("failed \((error as? CLError)?.code.rawValue ?? -1)")
    }

    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        heard.append("entered \(region.identifier) \(UIApplication.shared.applicationState)")
    }

    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        heard.append("left \(region.identifier) \(UIApplication.shared.applicationState)")
    }

    func locationManager(
        _ manager: CLLocationManager,
        didDetermineState state: CLRegionState,
        for region: CLRegion
    ) {
        heard.append("\(state) \(region.identifier)")
    }

    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
        heard.append("watches \(region.identifier)")
    }

    func locationManager(
        _ manager: CLLocationManager,
        monitoringDidFailFor region: CLRegion?,
        withError error: any Error
    ) {
        heard.append("no watch \(region?.identifier ?? "-") \((error as? CLError)?.code.rawValue ?? -1)")
    }
}

/// A phone with ``PlaceApp`` open.
@MainActor
struct PlaceStage {
    static let home = Coordinate(latitude: 52.50, longitude: 13.40)
    static let office = Coordinate(latitude: 52.52, longitude: 13.40)

    let phone: TestPhone
    let app: InstalledApp

    init(
        _ profile: SystemProfile = .iOS(17),
        prompts: PromptPolicy = .allow,
        app: InstalledApp = .places()
    ) async {
        phone = TestPhone(profile, prompts: prompts)
        self.app = app
        phone.install(app) { PlaceApp() }
        await phone.move(to: Self.home)
        await phone.open(app)
    }

    var delegate: PlaceApp? { phone.device.delegate(of: app.bundleID, as: PlaceApp.self) }

    var access: CLAuthorizationStatus? {
        phone.device.locationAccess(of: app.bundleID).flatMap { CLAuthorizationStatus(rawValue: $0.rawValue) }
    }

    /// Takes the delegate's calls since the last time.
    func heard() -> [String] {
        defer { delegate?.heard = [] }
        return delegate?.heard ?? []
    }

    func manager(_ body: @MainActor (CLLocationManager) -> Void) async {
        await phone.device.inside(app.bundleID) { if let delegate { body(delegate.manager) } }
        await phone.device.settled()
    }

    /// The device's own account, such as why an app hears nothing.
    var reasons: [String] {
        phone.device.recentDeviceEvents.compactMap { if case .changed(let words) = $0.kind { words } else { nil } }
            .filter { $0.contains("not ") || $0.contains("no location prompt") }
    }

    func region(
        _ identifier: String = "office",
        _ center: Coordinate = office,
        radius: Double = 100
    )
        -> CLCircularRegion
    {
        CLCircularRegion(center: CLLocationCoordinate2D(center), radius: radius, identifier: identifier)
    }
}
