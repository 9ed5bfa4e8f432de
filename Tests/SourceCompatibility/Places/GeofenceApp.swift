import CoreLocation
import UIKit
import UserNotifications

// Location reminders, and `@preconcurrency` conformance of a main-actor delegate.
final class GeofenceApp: UIResponder, UIApplicationDelegate, @preconcurrency UNUserNotificationCenterDelegate {
    var opened: [String] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        Task {
            _ = try? await center.requestAuthorization(options: [.alert])
            try? await remind(at: CLLocationCoordinate2D(latitude: 48.137, longitude: 11.575), "Market")
        }
        return true
    }

    private func remind(at place: CLLocationCoordinate2D, _ name: String) async throws {
        let region = CLCircularRegion(center: place, radius: 150, identifier: name)
        region.notifyOnEntry = true
        region.notifyOnExit = false
        let content = UNMutableNotificationContent()
        content.title = name
        let trigger = UNLocationNotificationTrigger(region: region, repeats: false)
        try await UNUserNotificationCenter.current().add(
            UNNotificationRequest(identifier: name, content: content, trigger: trigger)
        )
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        if response.notification.request.trigger is UNLocationNotificationTrigger {
            opened.append(response.notification.request.identifier)
        }
        completionHandler()
    }
}
