import CoreLocation
import UIKit
import UserNotifications

// Swift 6 mode: a geofence singleton on the main actor, whose delegate methods are not isolated and hop back.
@MainActor
final class GeofenceManager: NSObject, CLLocationManagerDelegate {
    static let shared = GeofenceManager()

    private let manager = CLLocationManager()
    private(set) var visits: [String] = []
    private(set) var problems: [String] = []
    var office: CLCircularRegion?

    private override init() {
        super.init()
    }

    func start() {
        manager.delegate = self
        manager.desiredAccuracy = kCLLocationAccuracyHundredMeters
        guard CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self) else { return }
        switch manager.authorizationStatus {
        case .notDetermined: manager.requestWhenInUseAuthorization()
        case .authorizedWhenInUse: manager.requestAlwaysAuthorization()
        case .authorizedAlways: watch()
        case .restricted, .denied: problems.append("no permission")
        @unknown default: break
        }
    }

    private func watch() {
        guard let office, !manager.monitoredRegions.contains(office) else { return }
        manager.startMonitoring(for: office)
    }

    nonisolated func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        let status = manager.authorizationStatus
        MainActor.assumeIsolated {
            if status == .authorizedWhenInUse { self.manager.requestAlwaysAuthorization() }
            if status == .authorizedAlways { watch() }
        }
    }

    nonisolated func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        let identifier = region.identifier
        MainActor.assumeIsolated { notify("Welcome to \(identifier)", identifier) }
    }

    nonisolated func locationManager(
        _ manager: CLLocationManager,
        monitoringDidFailFor region: CLRegion?,
        withError error: any Error
    ) {
        let text = (error as? CLError)?.code == .regionMonitoringFailure ? "too many" : error.localizedDescription
        MainActor.assumeIsolated { problems.append(text) }
    }

    private func notify(_ title: String, _ identifier: String) {
        visits.append(identifier)
        let content = UNMutableNotificationContent()
        content.title = title
        let request = UNNotificationRequest(identifier: identifier, content: content, trigger: nil)
        UNUserNotificationCenter.current().add(request)
    }
}

final class OfficeApp: UIResponder, UIApplicationDelegate {
    var launchedForLocation = false

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        launchedForLocation = launchOptions?[.location] != nil
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
        let place = CLLocationCoordinate2D(latitude: 52.52, longitude: 13.405)
        let office = CLCircularRegion(center: place, radius: 100, identifier: "office")
        office.notifyOnEntry = true
        office.notifyOnExit = false
        GeofenceManager.shared.office = office
        GeofenceManager.shared.start()
        return true
    }
}
