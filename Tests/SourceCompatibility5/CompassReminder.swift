import CoreLocation
import UserNotifications

// Swift 5 mode, in the manner of iOS 10: a compass with the sound's old spelling, and a download with what the module re-exports.
public class CompassReminder: NSObject, CLLocationManagerDelegate {
    public static let shared = CompassReminder()

    private let manager = CLLocationManager()
    private let geocoder = CLGeocoder()
    public private(set) var lines: [String] = []

    public func begin() {
        manager.delegate = self
        manager.headingOrientation = .portrait
        manager.startUpdatingHeading()
        manager.startMonitoringSignificantLocationChanges()
    }

    public func end() {
        manager.stopUpdatingHeading()
        manager.stopMonitoringSignificantLocationChanges()
        lines = []
    }

    public func content() -> UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = "North"
        content.sound = .default
        return content
    }

    public func request(for address: String) -> URLRequest? {
        var request = URL(string: address).map { URLRequest(url: $0) }
        request?.timeoutInterval = URLSessionConfiguration.default.timeoutIntervalForRequest
        return request
    }

    public func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        lines.append("heading \(Int(newHeading.magneticHeading))")
    }

    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        guard let location = locations.last else { return }
        geocoder.reverseGeocodeLocation(location) { placemarks, error in
            let name = placemarks?.first?.locality ?? (error as? CLError).map { "error \($0.code.rawValue)" } ?? "-"
            DispatchQueue.main.async { CompassReminder.shared.lines.append(name) }
        }
    }
}
