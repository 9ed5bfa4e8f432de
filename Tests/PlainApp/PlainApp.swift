import UIKit

/// An app that tells what it sees, and leaves. Its delegate is a plain object, as in apps without a window.
@main
final class PlainApp: NSObject, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        if CommandLine.arguments.contains("raise") {
            _ = UNTimeIntervalNotificationTrigger(timeInterval: 0, repeats: false)
        }
        print("launched", application.applicationState.rawValue, launchOptions == nil)
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        print("active", Thread.isMainThread)
        UNUserNotificationCenter.current().requestAuthorization(options: .alert) { granted, _ in
            print("granted", granted)
            exit(0)
        }
    }
}
