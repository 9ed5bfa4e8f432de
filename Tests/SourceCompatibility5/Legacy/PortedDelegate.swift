import UIKit

// Swift 5 mode: an application delegate of 2013, ported from Objective-C line by line.
public class PortedDelegate: UIResponder, UIApplicationDelegate {
    public var window: UIWindow?
    public var deviceToken: NSString?
    public var registrationError: NSError?
    public var received: NSMutableArray = NSMutableArray()
    public var states: [UIApplication.State] = []

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        self.window = UIWindow()
        self.window?.rootViewController = UIViewController()
        self.window?.makeKeyAndVisible()

        let version = (UIDevice.current.systemVersion as NSString).floatValue
        if version >= 8.0 {
            let settings = UIUserNotificationSettings(types: [.badge, .alert, .sound], categories: nil)
            application.registerUserNotificationSettings(settings)
            application.registerForRemoteNotifications()
        } else {
            let types: UIRemoteNotificationType = [.badge, .alert, .sound]
            application.registerForRemoteNotifications(matching: types)
        }

        if launchOptions != nil {
            let userInfo = launchOptions![UIApplication.LaunchOptionsKey.remoteNotification] as? NSDictionary
            if userInfo != nil { self.received.add("launched: " + (userInfo!["id"] as? String ?? "")) }
        }
        application.applicationIconBadgeNumber = 0
        return true
    }

    public func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        let token = NSMutableString(capacity: 64)
        for byte in deviceToken { token.append(String(format: "%02x", byte)) }
        self.deviceToken = token
    }

    public func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: Error)
    {
        self.registrationError = error as NSError
    }

    public func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) {
        self.states.append(application.applicationState)
        if let identifier = userInfo["id"] as? NSString { self.received.add("received: " + (identifier as String)) }
    }
}
