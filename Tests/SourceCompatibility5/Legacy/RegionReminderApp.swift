import CoreLocation
import UIKit

// Swift 5 mode: reminders at a place, as iOS 8 has them.
public class RegionReminderApp: UIResponder, UIApplicationDelegate, CLLocationManagerDelegate {
    let locationManager = CLLocationManager()
    public private(set) var arrivals: [String] = []

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        locationManager.delegate = self
        locationManager.requestWhenInUseAuthorization()
        application.registerUserNotificationSettings(
            UIUserNotificationSettings(types: [.alert, .sound], categories: nil)
        )
        return true
    }

    public func remind(_ text: String, latitude: Double, longitude: Double, once: Bool) {
        let region = CLCircularRegion(
            center: CLLocationCoordinate2DMake(latitude, longitude),
            radius: 150,
            identifier: text
        )
        region.notifyOnExit = false
        let notification = UILocalNotification()
        notification.alertBody = text
        notification.region = region
        notification.regionTriggersOnce = once
        UIApplication.shared.scheduleLocalNotification(notification)
    }

    public func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
        if notification.region != nil { arrivals.append(notification.alertBody ?? "") }
    }

    public func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {}
}
