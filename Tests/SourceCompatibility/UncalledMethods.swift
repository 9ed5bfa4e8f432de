import CoreLocation
import JPush
import UIKit
import UserNotifications

// Delegates with methods that an app's author expects to be called. The compiler accepts each without a warning.

/// Only life cycle methods of its own; the rest is in subclasses.
class BaseAppDelegate: NSObject, UIApplicationDelegate {
    func applicationDidBecomeActive(_ application: UIApplication) {}
}

/// In a subclass: one method that the base class lacks, and one that it overrides.
final class ShopAppDelegate: BaseAppDelegate {
    var calls: [String] = []

    override func applicationDidBecomeActive(_ application: UIApplication) { calls.append("didBecomeActive") }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        calls.append("didFinishLaunching")
        return true
    }
}

/// The types of Swift 2, and a result that the protocol's method has not.
final class OldTypesAppDelegate: NSObject, UIApplicationDelegate {}

extension OldTypesAppDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [String: Any]?
    ) -> Bool { true }

    func applicationDidEnterBackground(_ application: UIApplication) -> Bool { true }
}

/// A method of Apple's that only Apple's protocol declares, a misspelt label, and a helper of its own.
private final class FarAppDelegate: NSObject, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        return true
    }
}

extension FarAppDelegate {
    func application(_ application: UIApplication, shouldSaveApplicationState coder: NSCoder) -> Bool { false }

    func application(_ application: UIApplication, didRecieveRemoteNotification userInfo: [AnyHashable: Any]) {}

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresentNotification notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {}

    func application(_ application: UIApplication, showOrder id: Int) {}
    func applicationName() -> String { "Shop" }
}

@MainActor
func makeFarAppDelegate() -> any UIApplicationDelegate { FarAppDelegate() }

/// Everything that the system calls, in several spellings, and helpers whose names begin alike.
final class CorrectDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    private let manager = CLLocationManager()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        manager.delegate = self
        return true
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) { completionHandler(.noData) }

    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error) {}
    func application(_ application: UIApplication, showOrder id: Int) {}
    private func application(_ application: UIApplication, didRecieve order: Int) {}

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions { [.banner] }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) { completionHandler() }
}

extension CorrectDelegate: CLLocationManagerDelegate {
    nonisolated func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
    nonisolated func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
}

/// A delegate of the SDK with a spelling that no generation of its headers has.
final class OddPushDelegate: NSObject, JPUSHRegisterDelegate {
    func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]?) {}
}

extension OddPushDelegate {
    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter?,
        willPresent notification: UNNotification?,
        withCompletionHandler completionHandler: ((UInt) -> Void)?
    ) {}
}
