import UIKit

// Swift 5 mode, as before `@main`: the class has no attribute, and main.swift starts it.
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window = UIWindow(frame: UIScreen.main.bounds)
        window?.rootViewController = UIViewController()
        window?.makeKeyAndVisible()
        print("launched", application.delegate === self, launchOptions == nil)
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        print("active", application.keyWindow === window)
        exit(0)
    }
}
